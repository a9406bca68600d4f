"""Words."""

from mpcbench.generate.wording import vocabulary


def test_words_are_unique() -> None:
    """No list names a thing twice."""
    lists = {name: value for name, value in vars(vocabulary).items() if name.isupper() and isinstance(value, tuple)}

    assert lists
    assert [name for name, value in lists.items() if len(set(value)) < len(value)] == []
