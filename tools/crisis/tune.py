"""Learn the understudy's half of the bar's crisis check: a small difference to the weights of the embedded model.

    python -m tools.crisis.tune                 writes src/greenroom/worlds/bar/content/crisis.npz
    python -m tools.crisis.tune --without a b   says how well it does on these files when it has learned from the others

Needs the extra ``embeddings`` and torch, which is in none of our lock files (``pip install torch``; no GPU is needed,
and a processor that multiplies bfloat16 learns in minutes). To each weight of the network a product of two thin
matrices is added; those, the biases, the norms and the last step are what is learned.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from torch.nn import functional

from greenroom.adapters.embeddings.judge import Judge
from greenroom.adapters.embeddings.minilm import MiniLM
from greenroom.adapters.embeddings.network import model_file, sound, tokenizer_of
from greenroom.adapters.embeddings.tensors import tensors
from tools.crisis.train import Rows, read, together, told

OUT = Path(__file__).parents[2] / "src/greenroom/worlds/bar/content/crisis.npz"
#: How the model is built.
LAYER, LAYERS, HEADS, LEAST = "inner.encoder.layer", 6, 12, 1e-12
THIN, ROUNDS, BATCH, RATE, WARM, DECAY = 16, 3, 64, 2e-3, 0.06, 0.01
#: Share of the states that the network does without while it learns, and of the pieces that are hidden from it.
DROPPED, HIDDEN = 0.1, 0.05
#: How far the labels are from certain: nobody labels without a mistake.
DOUBT = 0.05
#: Share of the messages that stand next to another one, which does not hide a crisis; and the longest of these.
JOINED, LONGEST = 0.12, 96
#: The tokenizer's numbers: what stands for a hidden piece, and the first that is a word's.
MASK, WORDS = 103, 999
#: Batches that are sorted by length together.
SORTED = 40

Tensor: TypeAlias = Any
Weights: TypeAlias = dict[str, Tensor]
Texts: TypeAlias = list[tuple[list[int], bool]]


class Learner:
    """The embedded model in torch: its numbers as they come, and what is learned, by the names that ONNX gave them."""

    def __init__(self) -> None:
        given = tensors(bytearray(model_file().read_bytes()))
        self.fixed: Weights = {name: torch.tensor(np.array(one)) for name, one in given.items()}
        #: Six for each layer: query, key, value, what becomes of them, and the two of the inner step.
        self.matrices = sorted((name[:-2] for name in given if re.fullmatch(r"val_\d+_q", name)), key=_number)
        self.learned: Weights = {}
        for name in self.matrices:
            one = self.fixed[name] = self._whole(name)
            self.learned[f"{name}.up"] = torch.randn(len(one), THIN) / len(one) ** 0.5
            self.learned[f"{name}.down"] = torch.zeros(THIN, one.shape[1])
        learns = re.compile(r"inner\..*(?:LayerNorm\.(?:weight|bias)|\.bias)")
        self.learned |= {name: one.clone() for name, one in self.fixed.items() if learns.fullmatch(name)}
        self.learned["weight"] = torch.randn(2 * len(self.fixed[f"{LAYER}.0.output.dense.bias"])) * 0.02
        self.learned["bias"] = torch.zeros(())
        for one in self.learned.values():
            one.requires_grad_(True)

    def _whole(self, name: str) -> Tensor:
        return self.fixed[f"{name}_q"] * self.fixed[f"{name}_scale"]

    def odds(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Logarithm of the odds, while it learns: some of the states are dropped."""
        bars = ((mask - 1) * 1e4)[:, None, None, :]
        states = self.words[ids] + self.places[: ids.shape[1]]
        states = self._norm(states, "inner.embeddings.LayerNorm")
        for number in range(LAYERS):
            states = self._layer(self._dropped(states), bars, number)
        read = mask[..., None]
        found = torch.cat([(states * read).sum(1) / read.sum(1), states[:, 0]], 1)
        return (self._dropped(found).float() @ self.learned["weight"] + self.learned["bias"]).float()

    @cached_property
    def words(self) -> Tensor:
        return self._whole("inner.embeddings.word_embeddings.weight")

    @cached_property
    def places(self) -> Tensor:
        kind = self.fixed["inner.embeddings.token_type_embeddings.weight"][0]
        return self._whole("inner.embeddings.position_embeddings.weight") + kind

    def _layer(self, states: Tensor, bars: Tensor, number: int) -> Tensor:
        name, matrices = f"{LAYER}.{number}", self.matrices[6 * number : 6 * number + 6]
        seen = self._attention(states, bars, f"{name}.attention.self", matrices[:3])
        seen = self._linear(seen, matrices[3], f"{name}.attention.output.dense")
        states = self._norm(states + self._dropped(seen), f"{name}.attention.output.LayerNorm")
        inner = functional.gelu(self._linear(states, matrices[4], f"{name}.intermediate.dense"))
        inner = self._linear(inner, matrices[5], f"{name}.output.dense")
        return self._norm(states + self._dropped(inner), f"{name}.output.LayerNorm")

    def _attention(self, states: Tensor, bars: Tensor, name: str, matrices: Sequence[str]) -> Tensor:
        many, length, width = states.shape
        query, key, value = (
            self._linear(states, matrix, f"{name}.{part}").view(many, length, HEADS, -1).transpose(1, 2)
            for matrix, part in zip(matrices, ("query", "key", "value"), strict=True)
        )
        share = (query @ key.transpose(-1, -2) * (width / HEADS) ** -0.5 + bars).softmax(-1)
        return (share.to(value.dtype) @ value).transpose(1, 2).reshape(many, length, width)

    def _linear(self, given: Tensor, matrix: str, name: str) -> Tensor:
        with torch.autocast("cpu", enabled=False):
            whole = self.fixed[matrix] + self.learned[f"{matrix}.up"] @ self.learned[f"{matrix}.down"]
        return functional.linear(given, whole.T, self.learned[f"{name}.bias"])

    def _norm(self, given: Tensor, name: str) -> Tensor:
        weight, bias = self.learned[f"{name}.weight"], self.learned[f"{name}.bias"]
        return functional.layer_norm(given, weight.shape, weight, bias, LEAST)

    def _dropped(self, states: Tensor) -> Tensor:
        return functional.dropout(states, DROPPED)

    def learn(self, texts: Texts) -> None:
        """Adam on the log loss, crisis and ok weighing the same; the rate rises at first, then falls to nothing."""
        chance, share = np.random.default_rng(0), sum(crisis for _, crisis in texts) / len(texts)
        worth = torch.tensor([0.5 / (1 - share), 0.5 / share])
        adam = torch.optim.AdamW(list(self.learned.values()), lr=RATE, weight_decay=DECAY)
        steps, step = ROUNDS * -(-len(texts) // BATCH), 0
        for turn in range(ROUNDS):
            began = time.monotonic()
            for ids, mask, crisis in _batches(_joined(texts, chance), chance):
                step += 1
                adam.param_groups[0]["lr"] = RATE * min(step / steps / WARM, max(0.0, 1 - step / steps))
                adam.zero_grad()
                self._loss(ids, mask, crisis, worth[crisis.long()]).backward()
                torch.nn.utils.clip_grad_norm_(list(self.learned.values()), 1.0)
                adam.step()
            print(f"round {turn + 1} of {ROUNDS} took {time.monotonic() - began:.0f} s", flush=True)

    def _loss(self, ids: Tensor, mask: Tensor, crisis: Tensor, worth: Tensor) -> Tensor:
        hidden = ids.masked_fill((torch.rand(ids.shape) < HIDDEN) & (ids >= WORDS), MASK)
        with torch.autocast("cpu", torch.bfloat16):
            odds = self.odds(hidden, mask)
        doubted = crisis * (1 - DOUBT) + DOUBT / 2
        return functional.binary_cross_entropy_with_logits(odds, doubted, weight=worth)

    def written(self) -> bytes:
        """What was learned, as it is shipped."""
        made = BytesIO()
        np.savez_compressed(
            made, **{name: one.detach().numpy().astype(np.float16) for name, one in self.learned.items()}
        )
        return made.getvalue()


def _joined(texts: Texts, chance: np.random.Generator) -> Texts:
    """The messages, some of them with another one before or after: it is a crisis if either is."""
    found = []
    for pieces, crisis in texts:
        other, also = texts[chance.integers(len(texts))]
        if chance.random() < JOINED and len(pieces) + len(other) <= LONGEST and not (crisis and also):
            first, last = (pieces, other) if chance.random() < 0.5 else (other, pieces)
            found.append(([*first[:-1], *last[1:]], crisis or also))
        else:
            found.append((pieces, crisis))
    return found


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
    ids, mask = torch.zeros(len(texts), length, dtype=torch.long), torch.zeros(len(texts), length)
    for i, (pieces, _) in enumerate(texts):
        ids[i, : len(pieces)], mask[i, : len(pieces)] = torch.tensor(pieces), 1
    return ids, mask, torch.tensor([float(crisis) for _, crisis in texts])


def _in_pieces(rows: Rows) -> Texts:
    tokenizer = tokenizer_of()
    return [(tokenizer.encode(sound(text)).ids, crisis) for text, crisis in rows]


def _number(name: str) -> int:
    return int(name.removeprefix("val_"))


def check(numbers: bytes, files: dict[str, Rows]) -> None:
    encoder = MiniLM()
    judge = Judge(encoder, numbers)
    for name, rows in files.items():
        odds = np.array([judge.weigh(text) for text, _ in rows])
        print(f"{name:12} {told(odds, np.array([crisis for _, crisis in rows]))}", flush=True)
    encoder.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = read()
    parser.add_argument(
        "--without", nargs="+", default=[], choices=files, help="files to check with, not to learn from"
    )
    held = {name: files.pop(name) for name in parser.parse_args().without}
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    learner, rows = Learner(), together(files)
    learner.learn(_in_pieces(rows))
    print(f"learned from {len(rows)} sentences")
    if held:
        check(learner.written(), held)
    else:
        OUT.write_bytes(learner.written())


if __name__ == "__main__":
    main()
