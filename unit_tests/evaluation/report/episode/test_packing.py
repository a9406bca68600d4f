"""Pages are packed without loss, and what they share is packed once."""

from hypothesis import given
from hypothesis import strategies as st

from mpcbench.evaluation.report.episode.packing import packed, unpacked

text = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\n\r\u2028<&"'))


@given(st.lists(text, min_size=1, max_size=5))
def test_pages_survive_packing(pages: list[str]) -> None:
    """Every character comes back, whatever the lines end with; the block itself is plain base64."""
    block = packed(pages)

    assert pages == unpacked(block)
    assert block.isascii()
    assert not set(block) & set("<>&\n\"'")


def test_shared_lines_are_packed_once() -> None:
    """A second page of the same lines costs next to nothing, however far apart they are."""
    lines = [f"line {number} {number * 7919 % 104729}" for number in range(20_000)]
    one, two = packed(["\n".join(lines)]), packed(["\n".join(lines), "\n".join([*lines[10_000:], *lines[:10_000]])])

    assert len(two) < 1.4 * len(one)
