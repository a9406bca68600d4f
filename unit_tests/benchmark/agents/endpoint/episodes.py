"""What the tests of the endpoint agent share: a task, one tool and an agent on a loopback server."""

from mpcbench.benchmark.agents.endpoint.agent import EndpointAgent, EndpointOptions
from mpcbench.benchmark.agents.endpoint.models import Api, ModelEntry, TokenLimit, ToolProtocol
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Tool, Toolbox, ToolError, ToolResult
from mpcbench.benchmark.practice_endpoint import EndpointServer, ModelCall
from mpcbench.evaluation.scoring.answer import answer_schema
from mpcbench.schema import Period, World
from mpcbench.schema.episode import Reply

TASK = Task("level1-000", "You look notes up.", "What do the notes say?", answer_schema=answer_schema(1))
KEY_VARIABLE = "MPCBENCH_TEST_KEY"
KEY = "sk-test-0123456789abcdef"
NOTES = {"colour": "The colour is blue.", "number": "The number is seven."}
BUDGET = Budget(max_turns=10)
OPENAI_APIS = [api for api in Api if api.is_openai]


def get_note(sources: Sources, keyword: str) -> ToolResult:  # noqa: ARG001 - the first parameter of every tool
    """The note under a keyword.

    Args:
        keyword: One word.
    """
    if keyword not in NOTES:
        raise ToolError(f"no note {keyword!r}")
    return ToolResult(NOTES[keyword], (f"note:{keyword}",))


def note_call(keyword: str) -> ModelCall:
    """A call of the tool, as a model writes it."""
    return ModelCall("get_note", f'{{"keyword": "{keyword}"}}')


def toolbox(*tools: Tool) -> Toolbox:
    """A fresh toolbox; holds `get_note` unless told otherwise."""
    period = {"start": "2027-01-04T00:00:00+01:00", "end": "2027-03-29T00:00:00+02:00"}
    world = World(
        generator_version="1.0.0",
        seed=0,
        level=1,
        timezone="Europe/Berlin",
        period=Period.model_validate(period),
        people=(),
        calendars=(),
        documents=(),
    )
    return Toolbox(Sources(world), tools or (Tool(get_note),))


def entry(
    api: Api = Api.CHAT,
    *,
    base_url: str | None = None,
    encrypted_reasoning: bool = True,
    temperature: bool = True,
    structured_output: bool = True,
) -> ModelEntry:
    """A model that takes every parameter."""
    return ModelEntry(
        model="some-model",
        api=api,
        base_url=base_url,
        api_key_env=KEY_VARIABLE,
        temperature=temperature,
        reasoning_effort="any",
        token_limit=TokenLimit(chat="max_completion_tokens", responses="max_output_tokens"),
        parallel_tool_calls=True,
        encrypted_reasoning=encrypted_reasoning,
        structured_output=structured_output,
    )


def run(
    server: EndpointServer,
    api: Api,
    tools: Toolbox | None = None,
    *,
    max_turns: int = 10,
    final_turn: bool = True,
    protocol: ToolProtocol = ToolProtocol.NATIVE,
    structured_output: bool = True,
    max_retries: int = 0,
    timeout_seconds: float = 10,
) -> Reply:
    """One episode of an agent on the server."""
    options = EndpointOptions(
        base_url=server.base_url,
        api=api,
        tool_protocol=protocol,
        max_retries=max_retries,
        timeout_seconds=timeout_seconds,
    )
    agent = EndpointAgent(entry(structured_output=structured_output), options)
    return agent(TASK, toolbox() if tools is None else tools, Budget(max_turns, final_turn=final_turn))
