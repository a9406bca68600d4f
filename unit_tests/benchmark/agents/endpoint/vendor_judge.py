"""Judges by the vendors' own packages what went over the wire; it runs where these are, without those of the project.

Standard input holds JSON: the API, the server's root, and exchanges of a request's body and its answer's. Standard output
gets JSON: the texts of the model's messages as the package reads them from the server by itself.
"""

import json
import sys
from importlib import import_module
from inspect import signature
from typing import Any


def anthropic(root: str, exchanges: list[list[Any]]) -> list[str]:
    """Check each exchange, then send the requests again by the package."""
    package, types = import_module("anthropic"), import_module("anthropic.types")
    adapter = import_module("pydantic").TypeAdapter
    params = adapter(import_module("anthropic.types.message_create_params").MessageCreateParamsNonStreaming)
    client = package.Anthropic(api_key="sk-judge", base_url=root, max_retries=0)
    takes = signature(client.messages.create).parameters  # its last releases have no sampling parameters
    said = []
    for request, answer in exchanges:
        drained(params.validate_python(request))
        adapter(types.Message).validate_python(answer)
        further = {name: value for name, value in request.items() if name not in takes}
        message = client.messages.create(**{n: v for n, v in request.items() if n in takes}, extra_body=further)
        said.append("".join(block.text for block in message.content if block.type == "text"))
    return said


def google(root: str, exchanges: list[list[Any]]) -> list[str]:
    """The same."""
    genai, types = import_module("google.genai"), import_module("google.genai.types")
    kinds = {
        "systemInstruction": types.Content,
        "toolConfig": types.ToolConfig,
        "generationConfig": types.GenerationConfig,
    }
    client = genai.Client(api_key="sk-judge", http_options=types.HttpOptions(base_url=root, api_version="v1"))
    said = []
    for request, answer in exchanges:
        contents = [types.Content.model_validate(content) for content in request["contents"]]
        tools = [types.Tool.model_validate(tool) for tool in request.get("tools", [])]
        known = {name: kind.model_validate(request[name]) for name, kind in kinds.items() if name in request}
        assert request.keys() <= {"contents", "tools", *kinds}
        types.GenerateContentResponse.model_validate(answer)
        config = types.GenerateContentConfig(
            system_instruction=known["systemInstruction"],
            tools=tools,
            tool_config=known.get("toolConfig"),
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )
        reply = client.models.generate_content(model="some-model", contents=contents, config=config)
        said.append("".join(part.text or "" for part in reply.candidates[0].content.parts or [] if not part.thought))
    return said


def drained(value: Any) -> None:
    """Run iterators out, which validate lazily."""
    if isinstance(value, dict):
        for item in value.values():
            drained(item)
    elif value is not None and not isinstance(value, str | int | float):
        for item in value:
            drained(item)


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    judge = {"messages": anthropic, "generate-content": google}[asked["api"]]
    json.dump(judge(asked["root"], asked["exchanges"]), sys.stdout)
