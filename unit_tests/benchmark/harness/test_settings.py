from dataclasses import asdict
from pathlib import Path
from typing import get_args

import pytest

from mpcbench.benchmark.agents.endpoint.agent import EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ToolProtocol
from mpcbench.benchmark.harness.option_values import FailOn, SettingsError
from mpcbench.benchmark.harness.pytest_options import options_markdown, pytest_addoption
from mpcbench.benchmark.harness.settings import Attribute, Settings, Tags
from mpcbench.evaluation.runs.options import OPTIONS
from mpcbench.schema.dataset import COMMITTED
from mpcbench.schema.episode import Reveal, Scores
from mpcbench.schema.model import AnyLevel

WRONG = Scores(precision=0.5, recall=1.0, f1=2 / 3, exact_match=False, ranked_match=False)
RIGHT = Scores(precision=1.0, recall=1.0, f1=1.0, exact_match=True, ranked_match=False)


def test_defaults() -> None:
    """Without options the reference agent runs on everything that is committed."""
    settings = Settings.from_options({}, Path("/elsewhere"))

    assert settings.models == ("reference",)
    assert settings.levels is None
    assert settings.dataset == COMMITTED
    assert settings.endpoint_given == ()


def test_repeated_options_are_kept_once() -> None:
    """Models stay in the order given, levels are sorted."""
    settings = Settings.from_options({"model": ["b", "a", "b"], "level": ["3", "1", "3"]}, Path())

    assert (settings.models, settings.levels) == (("b", "a"), (1, 3))


@pytest.mark.parametrize(
    ("texts", "models"),
    [
        (["a,b", "c"], ("a", "b", "c")),
        (["a, b,,a"], ("a", "b")),
        (["a,replay:runs/x,y"], ("a", "replay:runs/x,y")),
        (["flawed:too-few+latest-first,noop"], ("flawed:too-few+latest-first", "noop")),
    ],
)
def test_list_of_models(texts: list[str], models: tuple[str, ...]) -> None:
    """Commas separate models; in a path they are part of it."""
    assert models == Settings.from_options({"model": texts}, Path()).models


def test_relative_dataset_belongs_to_the_folder_of_the_call() -> None:
    """A relative folder is not one of the checkout."""
    assert Path("/here/data") == Settings.from_options({"dataset": "data"}, Path("/here")).dataset


def test_endpoint_options_reach_the_endpoint() -> None:
    """Only what was given is passed on."""
    options = {"api": "responses", "temperature": "0", "request-timeout": "1.5", "max-retries": "0"}
    settings = Settings.from_options(options, Path())

    assert (
        settings.endpoint.api,
        settings.endpoint.temperature,
        settings.endpoint.timeout_seconds,
        settings.endpoint.max_retries,
    ) == ("responses", 0.0, 1.5, 0)
    assert set(settings.endpoint_given) == {"--api", "--temperature", "--request-timeout", "--max-retries"}


@pytest.mark.parametrize(("options", "on"), [({}, True), ({"final-turn": "on"}, True), ({"final-turn": "off"}, False)])
def test_final_turn(options: dict[str, str], on: bool) -> None:
    """The forced final turn is on unless switched off, and the description says which."""
    settings = Settings.from_options(options, Path())

    assert (on, on) == (settings.final_turn, settings.described()["final_turn"])


def test_tool_protocol_is_an_option_of_the_endpoint() -> None:
    """It overrides the model's own; without it the model's own counts."""
    settings = Settings.from_options({"tool-protocol": "json"}, Path())

    assert (ToolProtocol.JSON, ("--tool-protocol",)) == (settings.endpoint.tool_protocol, settings.endpoint_given)
    assert Settings.from_options({}, Path()).endpoint.tool_protocol is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": ["5"]}, "--level: '5' is not 1, 2, 3 or 4"),
        ({"level": ["\u0661"]}, "--level: '\u0661' is not 1, 2, 3 or 4"),
        ({"model": [" "]}, "--model: ' ' is not a name"),
        ({"model": ["a\nb"]}, "--model: 'a\\nb' is not a name"),
        ({"limit": "0"}, "--limit: '0' is not a whole number from 1"),
        ({"limit": "1.5"}, "--limit: '1.5' is not a whole number from 1"),
        ({"trials": "0"}, "--trials: '0' is not a whole number from 1"),
        ({"shard": "9/8"}, "--shard: '9/8' is not K/N with K from 1 to N"),
        ({"shard": "0/8"}, "--shard: '0/8' is not K/N with K from 1 to N"),
        ({"concurrency": "0"}, "--concurrency: '0' is not a whole number from 1"),
        ({"budget-usd": "0"}, "--budget-usd: '0' is not a number above 0"),
        ({"max-tokens-total": "-5"}, "--max-tokens-total: '-5' is not a whole number from 1"),
        ({"run-dir": " "}, "--run-dir: ' ' is no folder"),
        ({"run-dir": "a", "resume": "b"}, "--run-dir: not together with --resume, which names the folder already"),
        ({"resume": "gone"}, "--resume: 'gone' is no folder of a run, nor the name of one in runs/"),
        ({"paraphrase": "0"}, "--paraphrase: '0' is not 1, 2 or 3"),
        ({"tags": "maybe"}, "--tags: 'maybe' is not hidden or shown"),
        ({"api": "rest"}, "--api: 'rest' is not chat, responses, messages or generate-content"),
        ({"tool-protocol": "xml"}, "--tool-protocol: 'xml' is not native or json"),
        ({"final-turn": "maybe"}, "--final-turn: 'maybe' is not on or off"),
        (
            {"instructions": "text: "},
            "--instructions: its text is empty, or more than 1,000,000 characters, or not Unicode",
        ),
        ({"instructions": "gone.txt"}, "--instructions: 'gone.txt' cannot be read: No such file or directory"),
        ({"instructions": ""}, "--instructions: '' is no file"),
        ({"reveal": "gold"}, "--reveal: 'gold' is not plan, records or constraints"),
        ({"reveal": ""}, "--reveal: '' is not plan, records or constraints"),
        ({"attribute": "cheap"}, "--attribute: 'cheap' is not causal"),
        (
            {"attribute": "causal", "reveal": "plan"},
            "--attribute: not together with --reveal, which already repairs every episode",
        ),
        ({"max-turns": "-1"}, "--max-turns: '-1' is not a whole number from 1"),
        ({"temperature": "nan"}, "--temperature: 'nan' is not a number from 0"),
        ({"temperature": "hot"}, "--temperature: 'hot' is not a number from 0"),
        ({"request-timeout": "0"}, "--request-timeout: '0' is not a number of seconds above 0"),
        ({"request-timeout": "inf"}, "--request-timeout: 'inf' is not a number from 0"),
        ({"max-retries": "x"}, "--max-retries: 'x' is not a whole number from 0"),
        ({"reasoning-effort": "LOW!"}, "--reasoning-effort: 'LOW!' is not a word such as low, medium or high"),
        ({"base-url": "ftp://key@host"}, "--base-url: 'ftp://host' is not an http:// or https:// URL"),
        ({"fail-on": "f1:1.1"}, "--fail-on: 'f1:1.1' is not exact, never or f1:X with X from 0 to 1"),
        ({"fail-on": "f1:nan"}, "--fail-on: 'f1:nan' is not exact, never or f1:X with X from 0 to 1"),
    ],
)
def test_bad_value_is_named(options: dict[str, object], message: str) -> None:
    """The message is one line with the option, the value and what is allowed."""
    with pytest.raises(SettingsError) as caught:
        Settings.from_options(options, Path())

    assert message == str(caught.value)


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("exact", (True, False)),
        ("never", (False, False)),
        ("f1:0.5", (False, False)),
        ("f1:0.7", (True, False)),
        ("f1:1", (True, False)),
        ("f1:0", (False, False)),
    ],
)
def test_fail_on(text: str, fails: tuple[bool, bool]) -> None:
    """The rule decides by exact match, by F1 or not at all."""
    rule = FailOn.parse(text)

    assert fails == (rule.fails(WRONG), rule.fails(RIGHT))


def test_description_holds_no_key() -> None:
    """A key within the base URL does not reach the reports."""
    settings = Settings.from_options({"base-url": "https://me:secret@host:8/v1?api-key=secret"}, Path())

    assert settings.described()["endpoint"]["base_url"] == "https://host:8/v1"
    assert "secret" not in str(settings.described())


def test_command_line_offers_exactly_the_options_of_the_table() -> None:
    """Only the repeatable ones make lists; of the others the last one counts. Flags are typed without a value."""
    parser = pytest.Parser(_ispytest=True)
    pytest_addoption(parser)
    (group,) = (group for group in parser._groups if group.name == "mpcbench")
    offered = {name: name.removeprefix("--").replace("-", "_") for option in group.options for name in option.names()}
    flags = {f"--{one.name}" for one in OPTIONS if one.flag}
    typed = parser.parse([*flags, *(f"{name}={value}" for name in offered.keys() - flags for value in "ab")])
    values = {f"--{one.name}": ["a", "b"] if one.repeatable else "on" if one.flag else "b" for one in OPTIONS}

    assert values == {name: getattr(typed, attribute) for name, attribute in offered.items()}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tags", get_args(Tags)),
        ("reveal", get_args(Reveal)),
        ("attribute", get_args(Attribute)),
        ("api", tuple(Api)),
        ("tool-protocol", tuple(ToolProtocol)),
        ("level", tuple(map(str, get_args(AnyLevel)))),
    ],
)
def test_choices_are_the_values_of_the_type(name: str, values: tuple[str, ...]) -> None:
    """The table offers every value that a setting can have, and no other."""
    (option,) = (option for option in OPTIONS if option.name == name)

    assert values == tuple(option.metavar.split("|"))


def test_run_json_tells_every_setting() -> None:
    """All but where the run is stored, whether a report is written and what the agents themselves describe."""
    settings = Settings.from_options({"fail-on": "f1:0.5", "shard": "1/2", "level": ["2"]}, Path("/here"))

    assert settings.described() == {
        "models": ["reference"],
        "levels": [2],
        "instances": [],
        "limit": None,
        "trials": 1,
        "shard": "1/2",
        "dataset": str(COMMITTED),
        "paraphrase": 1,
        "tags": "hidden",
        "fail_on": "f1:0.5",
        "reveal": None,
        "attribute": None,
        "max_turns": 200,
        "final_turn": True,
        "concurrency": 1,
        "budget_usd": None,
        "max_tokens_total": None,
        "endpoint": asdict(EndpointOptions()),
    }


def test_instructions_come_from_a_file_or_as_text(tmp_path: Path) -> None:
    """Without the white space around them; a run without them says nothing of them."""
    (tmp_path / "told.txt").write_text("\nLook it up.\n")
    of_file = Settings.from_options({"instructions": "told.txt"}, tmp_path)
    of_text = Settings.from_options({"instructions": "text:Look it up."}, tmp_path)

    assert "Look it up." == of_file.instructions == of_text.instructions
    assert "Look it up." == of_file.described()["instructions"]
    assert "instructions" not in Settings.from_options({}, tmp_path).described()


def test_instructions_are_text(tmp_path: Path) -> None:
    """A file in another encoding is refused."""
    (tmp_path / "told.txt").write_bytes(b"\xff")

    with pytest.raises(SettingsError, match=r"--instructions: 'told.txt' is not UTF-8 text"):
        Settings.from_options({"instructions": "told.txt"}, tmp_path)


def test_markdown_has_a_row_for_every_option() -> None:
    """Bars within a cell are escaped."""
    rows = options_markdown().splitlines()

    assert len(OPTIONS) + 2 == len(rows)
    assert r"| `--level 1\|2\|3\|4` | level to run; repeatable | levels 1 to 3 of the data set |" in rows
