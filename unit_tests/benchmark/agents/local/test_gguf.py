"""The header of GGUF files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpcbench.benchmark.agents.local.gguf import GgufError, read_header
from unit_tests.benchmark.agents.local.gguf_files import ALIGNMENT, TINY, gguf


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf") / "tiny.gguf"


def error(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    with pytest.raises(GgufError) as caught:
        read_header(file)
    return str(caught.value).removeprefix(f"{file}: ")


@pytest.mark.parametrize("version", [2, 3])
def test_header_is_read(file: Path, version: int) -> None:
    """Both current versions give the metadata, the number of tensors and the size."""
    file.write_bytes(gguf(version=version))

    header = read_header(file)

    assert (dict(TINY), 2, file.stat().st_size) == (header.metadata, header.tensors, header.file_bytes)


def test_figures_are_of_the_architecture(file: Path) -> None:
    """A figure of the model is under the name of its architecture, as a number or one for each layer."""
    file.write_bytes(gguf({**TINY, "llama.attention.head_count_kv": (2, 0), "qwen2.block_count": 9}))

    header = read_header(file)

    assert (2, (2, 0), None, None) == (
        header.number("block_count"),
        header.shape("attention.head_count_kv"),
        header.number("attention.head_count_kv"),
        header.shape("no_such_figure"),
    )


def test_vocabularies_are_passed_over(file: Path) -> None:
    """Long arrays are not kept, whether of texts or of numbers, and what follows them is read."""
    file.write_bytes(gguf({"tokens": ["token"] * 5000, "types": [1] * 5000, "general.name": "after"}))

    assert {"general.name": "after"} == read_header(file).metadata


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a GGUF file (it does not begin with GGUF)"),
        (b"<html>", "not a GGUF file (it does not begin with GGUF)"),
        (gguf(version=1), "GGUF version 1 is not 2 or 3"),
        (b"GGUF\0\0\0\3" + b"\0" * 16, "GGUF version 50331648 is not 2 or 3"),  # big-endian
        (gguf({"general.alignment": 0}), "general.alignment: 0 is not a number of bytes"),
        (gguf().replace(b"\4\0\0\0\2\0\0\0", b"\x63\0\0\0\2\0\0\0", 1), "metadata of the unknown type 99"),
        (
            b"GGUF\3\0\0\0" + b"\xff" * 16 + b"\xff" * 8,
            "cut off or corrupt: the file ends before its own header says so",
        ),
    ],
)
def test_other_files_are_refused(file: Path, content: bytes, message: str) -> None:
    """What is no GGUF file of a known version is named as such."""
    assert message == error(file, content)


@given(st.data())
def test_truncated_files_are_refused(file: Path, data: st.DataObject) -> None:
    """A file that ends anywhere before the start of its last tensor is refused."""
    content = gguf()
    kept = data.draw(st.integers(4, len(content) - 64 + ALIGNMENT))

    assert "cut off or corrupt: the file ends before its own header says so" == error(file, content[:kept])


@given(st.integers(8, len(gguf()) - 1), st.binary(min_size=1, max_size=24))
def test_corrupt_files_are_refused_or_read(file: Path, place: int, junk: bytes) -> None:
    """Whatever is in a file, reading it ends soon, with a header or with the one kind of error."""
    content = gguf()
    file.write_bytes(content[:place] + junk + content[place + len(junk) :])

    try:
        outcome: object = read_header(file).file_bytes
    except GgufError as refused:
        outcome = str(refused).partition(": ")[0]

    assert outcome in {file.stat().st_size, str(file)}


def test_missing_files_are_named(tmp_path: Path) -> None:
    """A file that is not there and a folder are told apart."""
    with pytest.raises(GgufError, match=r"none\.gguf: No such file or directory\Z"):
        read_header(tmp_path / "none.gguf")
    with pytest.raises(GgufError, match=r": Is a directory\Z"):
        read_header(tmp_path)
