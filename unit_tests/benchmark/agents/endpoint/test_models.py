"""The file of models and the parameters that it allows."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mpcbench.benchmark.agents.endpoint.models import (
    MODELS_FILE,
    Api,
    ModelEntry,
    ModelsFileError,
    OptionError,
    TokenLimit,
    ToolProtocol,
    model_entry,
    read_models,
)
from mpcbench.benchmark.agents.endpoint.parameters import parameters
from mpcbench.benchmark.agents.endpoint.prices import Price
from unit_tests.benchmark.agents.endpoint.episodes import OPENAI_APIS

PAGE = "https://prices.example/"
MODELS = """
[default]
api = "chat"
temperature = true

[models.quick]
model = "some-vendor/some-model"
api = "responses"
base_url = "http://127.0.0.1:8080/v1"
reasoning_effort = ["low", "high"]
token_limit = { chat = "max_tokens" }

[[models.quick.prices]]
since = 2025-04-16
input = 1.10
cached_input = 0.275
output = 4
source = "https://prices.example/"

[[models.quick.prices]]
since = 2026-01-01
input = 0
cached_input = 0
output = 0
source = "https://prices.example/"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "models.toml"
    path.write_text(MODELS)
    return path


class TestModelEntry:
    def test_alias(self, path: Path) -> None:
        """A name in the file has the settings of its table, and what is absent there is not taken."""
        expected = ModelEntry(
            model="some-vendor/some-model",
            api=Api.RESPONSES,
            base_url="http://127.0.0.1:8080/v1",
            api_key_env=None,
            temperature=False,
            reasoning_effort=("low", "high"),
            token_limit=TokenLimit(chat="max_tokens", responses=None),
            parallel_tool_calls=None,
            encrypted_reasoning=False,
            tool_protocol=ToolProtocol.NATIVE,
            structured_output=False,
            prices=(
                Price(since=date(2025, 4, 16), input=1.10, cached_input=0.275, output=4.0, source=PAGE),
                Price(since=date(2026, 1, 1), input=0.0, cached_input=0.0, output=0.0, source=PAGE),
            ),
        )

        assert expected == model_entry("quick", path)

    def test_unknown_name(self, path: Path) -> None:
        """A name that is not in the file has the default settings, whatever it looks like."""
        expected = ModelEntry(model="o9-huge", api=Api.CHAT, temperature=True)

        assert expected == model_entry("o9-huge", path)

    @pytest.mark.parametrize("api", OPENAI_APIS)
    def test_unknown_model_in_the_committed_file(self, api: Api) -> None:
        """By default nothing optional is sent, and every option is if the user gives it."""
        entry = model_entry("some-model")

        assert (Api.CHAT, {}) == (entry.api, parameters(entry, api))
        assert 3 == len(parameters(entry, api, temperature=1, reasoning_effort="extreme", max_tokens=9))

    def test_reasoning_models_in_the_committed_file(self) -> None:
        """The published reasoning models take an effort and no temperature, and get their own reasoning back."""
        for name in ("o4-mini", "gpt-5"):
            entry = model_entry(name)

            assert (name, Api.RESPONSES, True) == (entry.model, entry.api, entry.encrypted_reasoning)
            assert {"reasoning": {"effort": "low"}} == parameters(entry, entry.api, reasoning_effort="low")
            with pytest.raises(OptionError, match=f"temperature: model '{name}' does not take it"):
                parameters(entry, entry.api, temperature=0.0)

    def test_prices_in_the_committed_file(self) -> None:
        """One's own machine is free; every other price has a page, a cached token costs at most as much as another, and an unknown model has none."""
        models = read_models(MODELS_FILE).models
        prices = {name: entry.prices for name, entry in models.items() if entry.prices}
        (own,) = prices.pop("local")

        assert own.input == own.cached_input == own.output == 0
        assert {"gpt-4o", "gpt-5", "o4-mini"} <= prices.keys()
        assert all(price.source.startswith("https://") for dated in prices.values() for price in dated)
        assert all(0 < price.cached_input <= price.input < price.output for dated in prices.values() for price in dated)
        assert () == model_entry("some-model").prices

    def test_plain_model_in_the_committed_file(self) -> None:
        """GPT-4o takes a temperature and no reasoning effort."""
        entry = model_entry("gpt-4o")

        assert entry.parallel_tool_calls
        assert {"temperature": 0.0} == parameters(entry, Api.CHAT, temperature=0.0)
        with pytest.raises(OptionError, match="reasoning effort: model 'gpt-4o' does not take it"):
            parameters(entry, Api.CHAT, reasoning_effort="low")

    def test_protocols_in_the_committed_file(self) -> None:
        """Models call tools natively unless told otherwise; only unknown ones are held to a schema then."""
        known = [model_entry(name) for name in ("gpt-4o", "o4-mini", "gpt-5")]
        unknown = model_entry("some-model")

        assert {ToolProtocol.NATIVE} == {entry.tool_protocol for entry in [*known, unknown]}
        assert ([False] * 3, True) == ([entry.structured_output for entry in known], unknown.structured_output)


class TestParameters:
    def test_token_limit(self, path: Path) -> None:
        """The limit of tokens goes under the name that the entry gives."""
        assert {"max_tokens": 100} == parameters(model_entry("quick", path), Api.CHAT, max_tokens=100)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"max_tokens": 100}, "max tokens: model 'some-vendor/some-model' takes no limit on the responses API"),
            ({"temperature": 1.0}, "temperature: model 'some-vendor/some-model' does not take it (models.toml)"),
            (
                {"reasoning_effort": "medium"},
                "reasoning effort: model 'some-vendor/some-model' takes low, high, not 'medium' (models.toml)",
            ),
        ],
    )
    def test_options_that_the_model_does_not_take(self, path: Path, options: dict[str, Any], message: str) -> None:
        """An option outside the entry is an error that names the option and the model."""
        with pytest.raises(OptionError) as caught:
            parameters(model_entry("quick", path), Api.RESPONSES, **options)

        assert str(caught.value).startswith(message)

    @pytest.mark.parametrize(
        "options",
        [
            {"temperature": -0.1},
            {"temperature": float("nan")},
            {"temperature": float("inf")},
            {"max_tokens": 0},
        ],
    )
    def test_values_out_of_range(self, options: dict[str, Any]) -> None:
        """No model takes such a value."""
        with pytest.raises(OptionError, match=str(next(iter(options.values())))):
            parameters(model_entry("some-model"), Api.CHAT, **options)


class TestSettings:
    def test_are_parameters_of_the_api(self) -> None:
        """Settings of the file are sent with every request; what an API does not have is an error."""
        settings: dict[str, Any] = {"top_p": 0.5, "seed": 7, "stop": ["END"], "service_tier": "flex", "max_tokens": 9}
        token_limit = TokenLimit(chat="max_tokens", responses="max_output_tokens")
        entry = ModelEntry(model="m", api=Api.CHAT, token_limit=token_limit, **settings, extra_body={"top_k": 5})

        assert {**settings, "top_k": 5} == parameters(entry, Api.CHAT)
        assert 20 == parameters(entry, Api.CHAT, max_tokens=20)["max_tokens"]
        with pytest.raises(OptionError, match="seed: the responses API has no such parameter"):
            parameters(entry, Api.RESPONSES)

    @pytest.mark.parametrize(
        ("extra", "message"),
        [
            ({"messages": []}, "extra_body.messages: the benchmark sets it itself"),
            ({"seed": 1}, "extra_body.seed: use seed instead"),
            ({"temperature": 1}, "extra_body.temperature: use --temperature instead"),
            ({"max_tokens": 1}, "extra_body.max_tokens: use max_tokens instead"),
        ],
    )
    def test_extra_body_leaves_the_rest_alone(self, extra: dict[str, Any], message: str) -> None:
        """It holds neither what the benchmark sends itself nor what has a setting of its own."""
        entry = ModelEntry(model="m", api=Api.CHAT, token_limit=TokenLimit(chat="max_tokens"), extra_body=extra)
        with pytest.raises(OptionError, match=message):
            parameters(entry, Api.CHAT)

    def test_api_with_defaults_of_its_own(self) -> None:
        """A name without a table has the settings of the API that the user names."""
        entry = model_entry("claude-any", api=Api.MESSAGES)

        assert ("claude-any", Api.MESSAGES, "ANTHROPIC_API_KEY") == (entry.model, entry.api, entry.api_key_env)
        assert "https://api.anthropic.com/v1" == entry.base_url
        assert Api.CHAT is model_entry("claude-any").api


class TestReadModels:
    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("temperature", "temprature", "default.temprature: Extra inputs are not permitted"),
            ("temperature = true", 'temperature = "yes"', "default.temperature: Input should be a valid boolean"),
            (
                '"responses"',
                '"grpc"',
                "models.quick.api: Input should be 'chat', 'responses', 'messages' or 'generate-content'",
            ),
            ('model = "some-vendor/some-model"', "", "models.quick.model: Field required"),
            (
                "token_limit",
                'tool_protocol = "xml"\ntoken_limit',
                "models.quick.tool_protocol: Input should be 'native' or 'json'",
            ),
            (
                "token_limit",
                "structured_output = 1\ntoken_limit",
                "models.quick.structured_output: Input should be a valid b",
            ),
            ("token_limit", "top_p = 1.5\ntoken_limit", "models.quick.top_p: Input should be less than or equal to 1"),
            ("token_limit", "seed = true\ntoken_limit", "models.quick.seed: Input should be a valid integer"),
            ("token_limit", 'stop = "END"\ntoken_limit', "models.quick.stop: Input should be a valid tuple"),
            ("token_limit", "max_tokens = 0\ntoken_limit", "models.quick.max_tokens: Input should be greater than"),
            (
                "token_limit",
                'headers = { "X-Api-Key" = "sk-1" }\ntoken_limit',
                "models.quick.headers.X-Api-Key.[key]: Value error, keys do not belong into this file",
            ),
            (
                "token_limit",
                'headers_env = { Host = "HOST" }\ntoken_limit',
                "models.quick.headers_env.Host.[key]: Value error, the benchmark sets this header itself",
            ),
            (
                "token_limit",
                'headers = { "X-Team" = "ä" }\ntoken_limit',
                "models.quick.headers.X-Team: Value error, has characters that no HTTP header can carry",
            ),
            ("http://", "", "models.quick.base_url: Value error, not a URL"),
            ("8080", "80800", "models.quick.base_url: Value error, its port is not a number from 0 to 65535"),
            ("8080", "se/cret@", "models.quick.base_url: Value error, its port is not a number from 0 to 65535"),
            ('["low", "high"]', '"all"', "models.quick.reasoning_effort"),
            ("2026-01-01", "2025-04-16", "models.quick.prices: Value error, since 2025-04-16 follows since"),
            ("input = 1.10", "input = -1.10", "models.quick.prices.0.input: Input should be greater than or equal"),
            ("output = 4", "output = nan", "models.quick.prices.0.output: Input should be a finite number"),
            ("input = 0\n", "", "models.quick.prices.1.input: Field required"),
            ("since = 2026-01-01", 'since = "soon"', "models.quick.prices.1.since: Input should be a valid date"),
            ("[default]", "[defaults]", "default: Field required"),
            ("[default]", "[default", "not valid TOML: "),
        ],
    )
    def test_faults_are_named(self, path: Path, old: str, new: str, message: str) -> None:
        """An error of the file is one line with the file's name and the key."""
        path.write_text(MODELS.replace(old, new, 1))
        with pytest.raises(ModelsFileError) as caught:
            read_models(path)

        assert str(caught.value).startswith(f"{path}: {message}")
        assert "\n" not in str(caught.value)

    def test_missing_file(self, tmp_path: Path) -> None:
        """A file that is not there is an error with its name."""
        with pytest.raises(ModelsFileError, match=r"models\.toml: No such file"):
            read_models(tmp_path / "models.toml")

    def test_file_that_is_no_text(self, path: Path) -> None:
        """Bytes that are not UTF-8 are an error with the file's name."""
        path.write_bytes(b"\xff")
        with pytest.raises(ModelsFileError, match=r"models\.toml: not valid TOML"):
            read_models(path)
