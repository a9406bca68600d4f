"""The options that a command line leaves to the run before it: of `--lf`, and of the node ID of a case."""

import re
import shlex
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import pytest

from mpcbench.evaluation.runs.options import OPTIONS, Subject

_KEY = "mpcbench/options"
"""Of pytest's cache: the options of the last run whose command line said which."""

_CASE = re.compile(r"test_instances\.py::test_instance\[(level[123]-\d{3,})-(.+?)(?:-trial([1-9]\d{0,8}))?\]\Z")

_CHOOSING = [option.name for option in OPTIONS if option.subject is Subject.CASES]


def recalled(config: pytest.Config, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not given, and that the cases that are to run again need; empty for any other command line.

    What is known of the last run holds for its own models only. A node ID says itself which model and instance it
    needs, and so do those that failed last.
    """
    named = [match for argument in config.option.file_or_dir if (match := _CASE.search(argument))]
    again = bool(getattr(config.option, "lf", False))
    if given["resume"] is not None or not (named or again):
        return {}
    cache = _cache(config)
    stored = {} if cache is None else cache.get(_KEY, {})
    earlier = {option.name: stored[option.name] for option in OPTIONS if stored.get(option.name) not in (None, [])}
    before = _models(earlier.get("model", ["reference"]))
    if not named and cache is not None:
        failed = [match for nodeid in cache.get("cache/lastfailed", {}) if (match := _CASE.search(nodeid))]
        named = [match for match in failed if unquote(match[2]) in _models(given["model"] or before)]
    needed = _needed(named)
    known = _models(given["model"] or needed.get("model") or before) <= before
    found = earlier if known else {}
    if needed:
        found = {name: value for name, value in found.items() if name not in _CHOOSING} | needed
    return {name: value for name, value in found.items() if given[name] in (None, [])}


def remember(config: pytest.Config, options: Mapping[str, Any]) -> None:
    """Keep the options of a run for `recalled`, where pytest has a cache and can write it."""
    cache = _cache(config)
    if cache is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pytest.PytestCacheWarning)
            cache.set(_KEY, dict(options))


def in_words(options: Mapping[str, Any]) -> str:
    """The options as they are typed."""
    typed = (
        (name, text) for name, value in options.items() for text in (value if isinstance(value, list) else [value])
    )
    return " ".join(f"--{name} {shlex.quote(text)}" for name, text in typed)


def _cache(config: pytest.Config) -> pytest.Cache | None:
    """Pytest's own, which is made only after the options are checked."""
    if not config.pluginmanager.has_plugin("cacheprovider"):
        return None
    return pytest.Cache.for_config(config, _ispytest=True)


def _needed(cases: Sequence[re.Match[str]]) -> dict[str, Any]:
    """The options without which there are no such cases."""
    if not cases:
        return {}
    trials = max(int(case[3] or 1) for case in cases)
    return {
        "model": list(dict.fromkeys(unquote(case[2]) for case in cases)),
        "instance": list(dict.fromkeys(case[1] for case in cases)),
        **({"trials": str(trials)} if trials > 1 else {}),
    }


def _models(texts: Iterable[str]) -> set[str]:
    """The models that some values of `--model` may name."""
    return {name.strip() for text in texts for name in (text, *text.split(","))}
