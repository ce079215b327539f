"""Learn what the bar's crisis check makes of a message's meaning: a small difference to the weights of MPNet.

    python -m greenroom_crisis.large                 writes src/greenroom/worlds/bar/content/crisis.npz
    python -m greenroom_crisis.large --on            the same, from what is written there: the mean of before and after
    python -m greenroom_crisis.large --without a b   says how well it does on these files, learned from the others

Needs the group ``meaning`` and torch, which is in none of our lock files (``pip install torch``; no GPU is needed,
and a processor that multiplies bfloat16 reads all sentences once in an hour). To each matrix of the upper layers a
product of two thin ones is added; those, the biases, the norms and the last step are what is learned.

The numbers that are shipped were not made by one call. Files came one after another, written against the check of
their day, and with each few of them it learned on: from the new ones, read two or three times, and from some or all
of the older. Often it did so twice, apart, or went on from the mean of before and after. Whoever adds a file does the
same with ``--on``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np
import torch
from torch.nn import functional

from greenroom.adapters.embeddings.network import sound
from greenroom.adapters.mpnet.judge import MpnetJudge
from greenroom.adapters.mpnet.network import (
    FIRST_PLACE,
    HEADS,
    LAYERS,
    LEAST,
    MATRICES,
    NORMS,
    WIDTH,
    named_weights,
    steps,
    tokenizer_of,
)
from greenroom_crisis.table import PROJECT, Rows, read, together
from greenroom_crisis.typed import typed
from greenroom_crisis.words import told

OUT = PROJECT / "src/greenroom/worlds/bar/content/crisis.npz"
#: Layers from the bottom that stay as they are, and how thin the matrices are.
LOWER, THIN = 4, 32
#: How often all messages are read, and how fast it learns: from nothing, and from what was learned before.
FIRST, ON = ((1, 8e-4), (2, 5e-4)), ((1, 4e-4),)
BATCH, WARM, DECAY = 64, 0.06, 0.01
#: How many in 256 of the states the network does without while it learns, and the share of the pieces hidden from it.
DROPPED, HIDDEN = 26, 0.05
#: How far the labels are from certain: nobody labels without a mistake.
DOUBT = 0.05
#: Share of the messages that stand among others, which do not hide a crisis; how many others, and the longest of these.
JOINED, OTHERS, LONGEST = 0.2, 3, 128
#: The tokenizer's numbers: what fills a row, what stands for a hidden piece, and the first that is a word's.
FILL, MASK, WORDS = 1, 30526, 1003
#: Batches that are sorted by length together.
SORTED = 40

Tensor: TypeAlias = Any
Weights: TypeAlias = dict[str, Tensor]
Numbers: TypeAlias = dict[str, Any]
Texts: TypeAlias = list[tuple[list[int], bool]]


class Learner:
    """The model in torch: its numbers as they come, and what is learned, by the names that the network has for them."""

    def __init__(self) -> None:
        self.fixed: Weights = {name: torch.tensor(one) for name, one in named_weights().items()}
        self.learned: Weights = {}
        for layer in range(LAYERS):
            for name in (f"{layer}.{matrix}" for matrix in MATRICES):
                whole = self.fixed[f"{name}.weight"] = self.fixed[f"{name}.weight"].bfloat16()
                if layer >= LOWER:
                    out, given = whole.shape
                    self.learned[f"{name}.up"] = torch.randn(given, THIN) / given**0.5
                    self.learned[f"{name}.down"] = torch.zeros(THIN, out)
            if layer >= LOWER:
                plain = [f"{matrix}.bias" for matrix in MATRICES]
                plain += [f"{norm}.{kind}" for norm in NORMS for kind in ("weight", "bias")]
                self.learned |= {f"{layer}.{name}": self.fixed[f"{layer}.{name}"].clone() for name in plain}
        self.learned["weight"] = torch.randn(2 * WIDTH) * 0.02
        self.learned["bias"] = torch.zeros(())
        for one in self.learned.values():
            one.requires_grad_(True)

    def take(self, numbers: bytes) -> None:
        """Go on from what was learned before."""
        with torch.no_grad():
            for name, one in _read(numbers).items():
                self.learned[name].copy_(torch.tensor(one))

    def odds(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Logarithm of the odds, while it learns: some of the states are dropped."""
        length = ids.shape[1]
        near = self.fixed["near"][:, torch.tensor(steps(length))]
        bars = (near + ((mask - 1) * 1e4)[:, None, None, :]).bfloat16()
        with torch.no_grad():
            states = self.fixed["words"][ids] + self.fixed["places"][FIRST_PLACE : FIRST_PLACE + length]
            states = self._dropped(self._norm(states, "first")).bfloat16()
            for layer in range(LOWER):
                states = self._layer(states, bars, layer)
        for layer in range(LOWER, LAYERS):
            states = self._layer(states, bars, layer)
        read, states = mask[..., None], states.float()
        found = torch.cat([(states * read).sum(1) / read.sum(1), states[:, 0]], 1)
        return self._dropped(found) @ self.learned["weight"] + self.learned["bias"]

    def _layer(self, states: Tensor, bars: Tensor, layer: int) -> Tensor:
        many, length, _ = states.shape
        parts = self._linear(states, f"{layer}.qkv").view(many, length, 3, HEADS, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        share = (query @ key.transpose(-1, -2) * (WIDTH / HEADS) ** -0.5 + bars).softmax(-1)
        seen = (share @ value).transpose(1, 2).reshape(many, length, WIDTH)
        states = self._norm(states + self._dropped(self._linear(seen, f"{layer}.o")), f"{layer}.seen")
        made = self._linear(functional.gelu(self._linear(states, f"{layer}.in")), f"{layer}.out")
        return self._norm(states + self._dropped(made), f"{layer}.made")

    def _linear(self, given: Tensor, name: str) -> Tensor:
        found = functional.linear(given, self.fixed[f"{name}.weight"], self._now(f"{name}.bias").bfloat16())
        if f"{name}.up" not in self.learned:
            return found
        return found + given @ self.learned[f"{name}.up"].bfloat16() @ self.learned[f"{name}.down"].bfloat16()

    def _norm(self, given: Tensor, name: str) -> Tensor:
        weight, bias = (self._now(f"{name}.{kind}").to(given.dtype) for kind in ("weight", "bias"))
        return functional.layer_norm(given, weight.shape, weight, bias, LEAST)

    def _now(self, name: str) -> Tensor:
        return self.learned[name] if name in self.learned else self.fixed[name]

    def _dropped(self, states: Tensor) -> Tensor:
        # By bytes, eight at a time: a fraction for each costs a quarter of all that learning does.
        drawn = torch.empty(-(-states.numel() // 8), dtype=torch.int64).random_(-(2**63), None).view(torch.uint8)
        return states * (drawn[: states.numel()].view(states.shape) >= DROPPED) / (1 - DROPPED / 256)

    def learn(self, texts: Texts, rounds: int, rate: float, chance: np.random.Generator) -> None:
        """Adam on the log loss, crisis and ok weighing the same; the rate rises at first, then falls to nothing."""
        share = sum(crisis for _, crisis in texts) / len(texts)
        worth = torch.tensor([0.5 / (1 - share), 0.5 / share])
        adam = torch.optim.AdamW(list(self.learned.values()), lr=rate, weight_decay=DECAY)
        all_steps, step = rounds * -(-len(texts) // BATCH), 0
        for turn in range(rounds):
            began = time.monotonic()
            for ids, mask, crisis in _batches(_joined(texts, chance), chance):
                step += 1
                adam.param_groups[0]["lr"] = rate * min(step / all_steps / WARM, max(0.0, 1 - step / all_steps))
                adam.zero_grad()
                self._loss(ids, mask, crisis, worth[crisis.long()]).backward()
                torch.nn.utils.clip_grad_norm_(list(self.learned.values()), 1.0)
                adam.step()
            print(f"round {turn + 1} of {rounds} took {time.monotonic() - began:.0f} s", flush=True)

    def _loss(self, ids: Tensor, mask: Tensor, crisis: Tensor, worth: Tensor) -> Tensor:
        hidden = ids.masked_fill((torch.rand(ids.shape) < HIDDEN) & (ids >= WORDS), MASK)
        doubted = crisis * (1 - DOUBT) + DOUBT / 2
        return functional.binary_cross_entropy_with_logits(self.odds(hidden, mask), doubted, weight=worth)

    def written(self) -> bytes:
        """What was learned, as it is shipped."""
        return _packed({name: one.detach().numpy() for name, one in self.learned.items()})


def _packed(numbers: Numbers) -> bytes:
    made = BytesIO()
    np.savez_compressed(made, **{name: one.astype(np.float16) for name, one in numbers.items()})
    return made.getvalue()


def mean(*learned: bytes) -> bytes:
    """Halfway between numbers learned apart or one after another; the products are cut back to their width."""
    made: Numbers = {}
    every = [_read(numbers) for numbers in learned]
    for name in every[0]:
        matrix, _, kind = name.rpartition(".")
        if kind == "up":
            whole = sum(one[name] @ one[f"{matrix}.down"] for one in every) / len(every)
            left, sizes, right = np.linalg.svd(whole, full_matrices=False)
            roots = np.sqrt(sizes[:THIN])
            made |= {name: left[:, :THIN] * roots, f"{matrix}.down": roots[:, None] * right[:THIN]}
        elif kind != "down":
            made[name] = sum(one[name] for one in every) / len(every)
    return _packed(made)


def _read(numbers: bytes) -> Numbers:
    with np.load(BytesIO(numbers)) as kept:
        return {name: one.astype(np.float32) for name, one in kept.items()}


def _joined(texts: Texts, chance: np.random.Generator) -> Texts:
    """The messages, some of them among others: it is a crisis if one is."""
    return [_among(one, texts, chance) if chance.random() < JOINED else one for one in texts]


def _among(one: tuple[list[int], bool], texts: Texts, chance: np.random.Generator) -> tuple[list[int], bool]:
    parts = [one]
    for number in chance.integers(len(texts), size=chance.integers(1, OTHERS + 1)):
        pieces, crisis = texts[number]
        if sum(len(part) for part, _ in parts) + len(pieces) <= LONGEST and not (crisis and any(c for _, c in parts)):
            parts.insert(chance.integers(len(parts) + 1), (pieces, crisis))
    inner = [piece for pieces, _ in parts for piece in pieces[1:-1]]
    return [one[0][0], *inner, one[0][-1]], any(crisis for _, crisis in parts)


def _batches(texts: Texts, chance: np.random.Generator) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """All messages in any order, those of about one length together, which is faster."""
    order, batches = chance.permutation(len(texts)), []
    for start in range(0, len(order), BATCH * SORTED):
        some = sorted(order[start : start + BATCH * SORTED], key=lambda i: len(texts[i][0]))
        batches += [some[i : i + BATCH] for i in range(0, len(some), BATCH)]
    for number in chance.permutation(len(batches)):
        yield _padded([texts[i] for i in batches[number]])


def _padded(texts: Texts) -> tuple[Tensor, Tensor, Tensor]:
    # A few lengths only: every new one costs the preparation of a multiplication.
    length = -(-max(len(pieces) for pieces, _ in texts) // 4) * 4
    ids, mask = torch.full((len(texts), length), FILL), torch.zeros(len(texts), length)
    for i, (pieces, _) in enumerate(texts):
        ids[i, : len(pieces)], mask[i, : len(pieces)] = torch.tensor(pieces), 1
    return ids, mask, torch.tensor([float(crisis) for _, crisis in texts])


def _in_pieces(rows: Rows, chance: np.random.Generator) -> Texts:
    """The messages as somebody might have typed them."""
    tokenizer = tokenizer_of()
    return [(tokenizer.encode(sound(typed(text, chance))).ids, crisis) for text, crisis in rows]


def check(numbers: bytes, files: dict[str, Rows]) -> None:
    judge = MpnetJudge(lambda: numbers)
    for name, rows in files.items():
        odds = np.array([judge.weigh(text) for text, _ in rows])
        print(f"{name:12} {told(odds, np.array([crisis for _, crisis in rows]))}", flush=True)
    judge.close()


def learned(rows: Rows, before: bytes | None) -> bytes:
    """What these messages teach; and halfway to it from what was known before."""
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    learner, chance = Learner(), np.random.default_rng(0)
    if before is not None:
        learner.take(before)
    for rounds, rate in FIRST if before is None else ON:
        learner.learn(_in_pieces(rows, chance), rounds, rate, chance)
    print(f"learned from {len(rows)} sentences")
    return learner.written() if before is None else mean(before, learner.written())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = read()
    ways = parser.add_mutually_exclusive_group()  # what was learned before knows every file
    ways.add_argument("--without", nargs="+", default=[], choices=files, help="files to check with, not to learn from")
    ways.add_argument("--on", action="store_true", help="go on from what was learned before")
    asked = parser.parse_args()
    held = {name: files.pop(name) for name in asked.without}
    numbers = learned(together(files), OUT.read_bytes() if asked.on else None)
    if held:
        check(numbers, held)
    else:
        OUT.write_bytes(numbers)


if __name__ == "__main__":
    main()
