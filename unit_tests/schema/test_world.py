"""A world with other threads is otherwise the same."""

import pytest

from mpcbench.schema import World
from unit_tests.builders import small_worlds

WORLD = small_worlds.world(3)


def test_with_threads_replaces_them_only() -> None:
    """The threads are replaced, also by ID, and every other field stays."""
    thread = WORLD.threads[0].model_copy(update={"thread_id": "T9999"})
    assert WORLD.threads[0].thread_id in WORLD.thread_by_id
    other = WORLD.with_threads([thread])

    assert World.model_validate(WORLD.model_dump() | {"threads": [thread.model_dump()]}) == other
    assert {"T9999": thread} == other.thread_by_id


def test_with_threads_reuses_cached_properties() -> None:
    """Indexes and JSON values are computed once for all worlds that differ only in threads."""
    other = WORLD.with_threads(())

    assert WORLD.busy is other.busy
    assert WORLD.booked is other.booked
    assert WORLD.json_but_threads is other.json_but_threads


def test_with_threads_refuses_a_repeated_id() -> None:
    """The rule that record IDs are unique holds here too."""
    with pytest.raises(ValueError, match=f"record ID 'thread:{WORLD.threads[0].thread_id}' is not unique"):
        WORLD.with_threads(WORLD.threads[:1] * 2)


def test_json_but_threads_is_that_of_the_file() -> None:
    """The JSON values are those of the whole world without its threads."""
    expected = WORLD.model_dump(mode="json")
    del expected["threads"]

    assert expected == WORLD.json_but_threads
