"""The model that writes instructions."""

import os
from typing import Any

from mpcbench.benchmark.agents.endpoint.models import model_entry
from mpcbench.benchmark.improve.conversations import ImproveError
from mpcbench.schema.untrusted_text import one_line

_NO_KEY = "unused"


class Writer:
    """A model behind an OpenAI-compatible endpoint, asked by chat completions; to be closed after use.

    Args:
        name: The model, as `mpcbench run --model` names it.
        base_url: Its endpoint; by default that of `models.toml`, then that of the openai package.
    """

    def __init__(self, name: str, base_url: str | None = None) -> None:
        entry = model_entry(name)
        if not entry.api.is_openai:
            raise ImproveError(f"--writer {name}: is on the {entry.api} API; a model with chat completions is needed")
        key = os.environ.get(entry.api_key_env, "") if entry.api_key_env else ""
        if not key and entry.api_key_env and base_url is None:
            raise ImproveError(f"{entry.api_key_env}: not set; --writer {name} needs an API key, or --writer-url")
        from openai import OpenAI  # noqa: PLC0415 - takes half a second, and other ways need it not

        self._model = entry.model
        self._client = OpenAI(base_url=base_url or entry.base_url, api_key=key or _NO_KEY, max_retries=8)

    def close(self) -> None:
        """Close the connections to the endpoint."""
        self._client.close()

    def __call__(self, prompt: Any) -> str:
        """The answer to a prompt.

        Raises:
            ImproveError: the endpoint fails, or says nothing.
        """
        from openai import OpenAIError  # noqa: PLC0415 - see above

        try:
            answer = self._client.chat.completions.create(
                model=self._model, messages=[{"role": "user", "content": str(prompt)}]
            )
        except OpenAIError as error:
            raise ImproveError(f"--writer {self._model}: {one_line(str(error), 300)}") from None
        text = answer.choices[0].message.content if answer.choices else None
        if not text:
            raise ImproveError(f"--writer {self._model}: an empty answer")
        return text
