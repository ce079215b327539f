"""packages/greenroom-crisis: its table is whole, and learning from the same sentences comes out the same."""

from __future__ import annotations

import csv
from collections import Counter

import numpy as np
from greenroom_crisis import ordinary, small, table, words

from greenroom.worlds.bar.rules.crisis.likeness import Learned
from greenroom.worlds.bar.rules.crisis.normalise import sentences


def test_every_sentence_has_an_author_a_date_and_a_split_and_the_counts_are_those_written_down() -> None:
    counted: Counter[tuple[str, str]] = Counter()
    for row in table.table():
        assert set(row) <= set(table.COLUMNS)
        if row["split"] not in table.SPLITS:
            assert row["date"]
            counted[row["author"], row["label"]] += 1
    with (table.DATA / "authors.tsv").open(newline="", encoding="utf-8") as lines:
        authors = list(csv.DictReader(lines, delimiter="\t"))
    assert {one["author"] for one in authors} == {file.stem for file in table.DATA.glob("*.csv")}
    for one in authors:
        found = {label: counted[one["author"], label] for label in ("crisis", "ok")}
        assert {label: int(one[label]) for label in found} == found


def test_words_learned_again_from_the_same_sentences_are_the_same_weights() -> None:
    rows = table.rows_of(table.DATA / "brief.csv")
    first, again = (words.learn(words.Sentences(words.with_typed(rows))) for _ in range(2))
    assert first == again
    learned = Learned(first)
    assert sum((learned.odds(sentences(text)) > 0) == crisis for text, crisis in rows) > 0.95 * len(rows)


def test_a_head_learned_again_is_the_same_head_and_tells_apart_what_it_learned() -> None:
    chance = np.random.default_rng(1)
    crisis = (chance.random(1024) < 0.4).astype(np.float32)
    read = chance.normal(size=(1024, 12)).astype(np.float32)
    read[:, 3] += 4 * crisis
    first, again = small.learn(read, crisis), small.learn(read, crisis)
    assert all(
        np.array_equal(one, other) for one, other in zip(vars(first).values(), vars(again).values(), strict=True)
    )
    odds = first.odds(read)
    assert odds[crisis > 0].mean() > odds[crisis == 0].mean()


def test_ordinary_talk_learned_again_is_the_same_and_is_told_apart() -> None:
    chance = np.random.default_rng(2)
    read = chance.normal(size=(400, 12))
    read[:250, 5] += 4
    first, again = (ordinary.fitted(read[:250], read[250:]) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    odds = read @ first[0] + first[1]
    assert (odds[:250] > 0).mean() > 0.95 < (odds[250:] < 0).mean()
    talk, crises = ordinary.drawn()
    assert ordinary.drawn() == (talk, crises)
    assert not set(talk) & set(crises)


def test_what_is_drawn_is_the_same_each_time_and_a_part_of_what_is_drawn_from_more() -> None:
    rows = table.rows_of(table.DATA / "brief.csv")
    assert small.drawn(rows, 20) == small.drawn(rows, 40)[:20]
