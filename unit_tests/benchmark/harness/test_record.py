import json
from pathlib import Path

from mpcbench.benchmark.harness.record import PROPERTY, as_json_text, decode, encode, recorded
from mpcbench.benchmark.harness.settings import Settings
from mpcbench.benchmark.harness.trial import error_episode
from mpcbench.schema.episode import Episode, Fault, Finish, Reply
from mpcbench.schema.result import result_of
from mpcbench.schema.run import Case


def episode(**changes: object) -> Episode:
    case = Case("level1-001", 1, "mod\u00e8le")
    made = error_episode(case, Settings.from_options({}, Path()), Fault(kind="worker", message="it died\x00\u2028"))
    return made.model_copy(update=changes)


def test_record_survives_its_journey() -> None:
    """Decoding gives back the result."""
    sent = result_of(episode(answer_error="\u00e9\x00\u2028", cost_usd=0.1))

    assert sent == decode(encode(sent))


def test_episode_is_ascii_json() -> None:
    """What no channel and no JSON parser takes is replaced, even where nothing checked it before."""
    reply = Reply.model_construct(
        text="\ud800", finish=Finish.STOP, turns=1, messages=({"p": float("inf")},), usage=None
    )
    text = as_json_text(episode(reply=reply))

    assert text.isascii()
    assert tuple(json.loads(text)["reply"][key] for key in ("text", "messages")) == ("\ufffd", [{"p": "inf"}])


def test_record_is_found_among_properties() -> None:
    """Other properties are passed over."""
    assert recorded([("other", "x"), (PROPERTY, 3), (PROPERTY, "text")]) == "text"
    assert recorded([("other", "x")]) is None
