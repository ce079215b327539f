"""A drawing for worlds that have none. Colours are variables of the style sheet: they change with light and dark."""


def curtain(name: str) -> str:
    """A drawing for a world that has none: a stage whose folds follow from its name."""
    folds = [(sum(map(ord, name)) * (7 + i) + i * i * 31) % 36 for i in range(8)]
    left = "".join(
        f'<path class="fold" d="M{i * 36} 0h{22 + f // 3}l{-8 - f // 4} 160h-{22 + f // 3}z"/>'
        for i, f in enumerate(folds[:4])
    )
    right = "".join(
        f'<path class="fold" d="M{196 + i * 36} 0h{22 + f // 3}l{8 + f // 4} 160h-{22 + f // 3}z"/>'
        for i, f in enumerate(folds[4:])
    )
    return (
        '<svg class="drawn-curtain" viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice">'
        '<rect class="dark-stage" width="320" height="160"/><ellipse class="spot" cx="160" cy="140" rx="70" ry="16"/>'
        f"{left}{right}"
        '<rect class="valance" width="320" height="14"/></svg>'
    )
