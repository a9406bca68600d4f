"""What a search finds is read down to the first text that does not hold what is looked for."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from mpcbench.benchmark.agents.protocol import Budget
from mpcbench.benchmark.agents.reference.level4.casefile import empty
from mpcbench.benchmark.agents.reference.level4.desk import LadderDesk
from mpcbench.benchmark.agents.reference.level4.searching import any_of, either, holding, look_up, search, words_of
from mpcbench.benchmark.environment.level4.records import LadderRecords
from mpcbench.benchmark.environment.level4.session import LadderToolbox
from mpcbench.schema.level4.world import LadderCollection, LadderMessage, LadderPage, LadderThread, LadderWorld
from unit_tests.builders.ladder_spoken import office

SENT = datetime(2027, 2, 1, 9, tzinfo=UTC)


def world(texts: list[str], pages: list[str] | None = None) -> LadderWorld:
    """The office with a thread for each text, and pages of the wiki."""
    threads = tuple(
        LadderThread(
            thread_id=f"T{number:04}",
            channel="general",
            messages=(LadderMessage(sent=SENT, author="p001", text=text),),
        )
        for number, text in enumerate(texts)
    )
    own = tuple(
        LadderPage(page_id=f"W{number}", collection=LadderCollection.WIKI, title="Page", text=text, posted=SENT)
        for number, text in enumerate(pages or [])
    )
    return office().model_copy(update={"threads": threads, "pages": own})


def test_messages() -> None:
    """Threads are read as long as their messages hold all words; the next one is read to see that it does not."""
    name = "Falcon pricing review"
    long = "What a long week it has been for all of us here, or so it seems to me. " * 2
    texts = [f"Small talk. {long}The {name}."] * 14
    toolbox = LadderToolbox(LadderRecords(world([*texts, *["A review of pricing."] * 30])))
    case = empty(ZoneInfo("Europe/Berlin"))
    LadderDesk(toolbox, Budget(50)).ask([search(case, "search_messages", name, holding(name))])
    read = [call for call in toolbox.log if call.name == "read_thread"]

    assert sum(any(name in one.text for one in messages) for messages in case.threads.values()) == 14
    assert len(read) <= 18


def test_what_the_snippet_shows() -> None:
    """A page whose snippet holds the words is read with the first, in one turn."""
    toolbox = LadderToolbox(LadderRecords(world([], ["The velvet ladder.", "A velvet ladder.", "Ladders."])))
    case = empty(ZoneInfo("Europe/Berlin"))
    LadderDesk(toolbox, Budget(50)).ask([search(case, "search_wiki", "velvet ladder", holding("velvet ladder"))])

    assert sorted(case.pages) == ["wiki:W0", "wiki:W1"]
    assert [call.turn for call in toolbox.log] == [1, 2, 2]


def test_glossary() -> None:
    """Entries of the glossary need no reading."""
    toolbox = LadderToolbox(LadderRecords(office()))
    case = empty(ZoneInfo("Europe/Berlin"))
    LadderDesk(toolbox, Budget(50)).ask([look_up(case, "CPR")])

    assert [page.title for page in case.pages.values()] == ["CPR"]
    assert len(toolbox.log) == 1


def test_what_is_wanted() -> None:
    """Words are compared whole, without case and accents."""
    words = words_of("Café at Mill Lane: closed.")

    assert words == {"cafe", "at", "mill", "lane", "closed"}
    assert holding("mill LANE", "open", "closed")(words)
    assert not holding("Mill Lane", "open")(words)
    assert not holding("Mill")(words_of("Milling"))
    assert any_of(words_of("R01 cafe"))(words)
    assert either([holding("open"), holding("closed")])(words)
