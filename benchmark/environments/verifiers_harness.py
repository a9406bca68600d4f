"""The loop that leads a rollout: verifiers' `null`, which calls the tools and nothing else, with results shown whole.

verifiers cuts the middle out of every result above 20,000 bytes, by a constant that no option reaches. Long calendars and
policy documents are what some instances are about, so the loop's program gets another constant.
"""

from verifiers.v1.clients import ModelContext
from verifiers.v1.harnesses.null import NullHarness
from verifiers.v1.harnesses.utils.launch import CHAT_PROGRAM_SOURCE, launch_chat_program
from verifiers.v1.runtimes import ProgramResult, Runtime
from verifiers.v1.task import TaskData
from verifiers.v1.trace import Trace

CUT = "\nTOOL_OUTPUT_MAX_BYTES = 20_000\n"
"""The line of the program that cuts results."""

if CHAT_PROGRAM_SOURCE.count(CUT) != 1:
    raise ImportError("this version of verifiers cuts tool results otherwise than 0.4; install verifiers 0.4.0")

PROGRAM = CHAT_PROGRAM_SOURCE.replace(CUT, "\nTOOL_OUTPUT_MAX_BYTES = 2**62\n")


class MpcbenchHarness(NullHarness):
    """verifiers' `null` without its cut."""

    async def setup(self, runtime: Runtime) -> None:
        """Install what the program needs."""
        await runtime.prepare_uv_script(PROGRAM, self.config.resolved_env)

    async def launch(
        self,
        ctx: ModelContext,
        trace: Trace,
        runtime: Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: TaskData,
        tool_interception_url: str | None = None,
    ) -> ProgramResult:
        """Run the program, as `null` does."""
        gate = [f"--tool-interception-url={tool_interception_url}"] if tool_interception_url else []
        system_prompt, prompt = self.resolve_prompt(data)
        return await launch_chat_program(
            PROGRAM,
            self.config,
            ctx,
            trace,
            runtime,
            endpoint,
            secret,
            mcp_urls,
            system_prompt,
            prompt,
            extra_args=gate,
        )
