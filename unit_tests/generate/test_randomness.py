"""Streams of random numbers."""

from mpcbench.generate.randomness import stream


def numbers(*names: object, seed: int = 2027) -> list[int]:
    rng = stream(seed, *names)
    return [rng.randrange(1000) for _ in range(8)]


def test_a_stream_is_the_same_everywhere() -> None:
    """Its numbers are those that were drawn when the data were made."""
    assert [190, 732, 243, 39, 574, 562, 895, 889] == numbers(3, "instance", 17)


def test_seed_and_every_part_of_the_name_matter() -> None:
    """Another seed, another name or a longer one gives another stream."""
    streams = [
        numbers("a"),
        numbers("a", seed=2028),
        numbers("b"),
        numbers("a", 1),
        numbers(1, "a"),
        numbers("a", 11),
        numbers(1, 1, "a"),
    ]

    assert len({tuple(found) for found in streams}) == len(streams)


def test_a_stream_does_not_move_another() -> None:
    """What is drawn from one in between does not show in another."""
    first, second = stream(1, "first"), stream(1, "second")
    drawn = []
    for _ in range(8):
        drawn.append(first.random())
        second.random()
    alone = stream(1, "first")

    assert drawn == [alone.random() for _ in range(8)]
