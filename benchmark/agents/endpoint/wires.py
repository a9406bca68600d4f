"""Every API by its name."""

from collections.abc import Mapping
from typing import Final

from mpcbench.benchmark.agents.endpoint.chat_completions import ChatCompletions
from mpcbench.benchmark.agents.endpoint.generate_content import GenerateContent
from mpcbench.benchmark.agents.endpoint.messages import Messages
from mpcbench.benchmark.agents.endpoint.models import Api
from mpcbench.benchmark.agents.endpoint.responses import Responses
from mpcbench.benchmark.agents.endpoint.turn import Wire

WIRES: Final[Mapping[Api, Wire]] = {
    Api.CHAT: ChatCompletions(),
    Api.RESPONSES: Responses(),
    Api.MESSAGES: Messages(),
    Api.GENERATE_CONTENT: GenerateContent(),
}
