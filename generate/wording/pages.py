"""The texts of decoy pages."""

from typing import Final

from mpcbench.schema import Collection

LEVEL_2: Final = (Collection.WIKI, Collection.HOLIDAY, Collection.ANNOUNCEMENT)
LEVEL_3: Final = (
    *LEVEL_2,
    Collection.NEWSLETTER,
    Collection.CONTACT,
    Collection.TEAM_CALENDAR,
    Collection.DESK,
    Collection.BUILDING_HOURS,
)

CITIES: Final = ("Lisbon", "Toronto", "Osaka", "Cape Town", "Helsinki", "Montevideo", "Singapore", "Denver")
TRADES: Final = (
    "account manager",
    "auditor",
    "buyer",
    "consultant",
    "dispatcher",
    "lawyer",
    "planner",
    "sales engineer",
)

WIKI: Final = (
    (
        "How to run a good meeting",
        "Send the agenda a day ahead. A meeting of {minutes} minutes is often enough, and {number} people decide better than twenty. This page collects advice from colleagues; it is not a policy.",
    ),
    (
        "Glossary of time management",
        "Time boxing: to set an end before the start. Buffer: a pause between two tasks, for instance {minutes} minutes; how long it has to be, this glossary does not say. Focus time: hours without calls.",
    ),
    (
        "Onboarding: your first week",
        "On {weekday} at {time} newcomers get a tour of the building, which takes {minutes} minutes. Badges are ready at reception. Lunch with the mentor is at noon, on the house.",
    ),
    (
        "Setting up the headset",
        "Plug it in, wait for {minutes} seconds, choose the profile for open-plan offices. Known faults are listed below; fault {number} is solved by a restart.",
    ),
    (
        "Time zones of our suppliers",
        "The plant near {city} closes at {time} local time. Orders placed after {later} are processed on the next working day. The page is maintained by logistics.",
    ),
    (
        "History of the company",
        "Founded by {number} people in a former bakery. The first office opened at {time} because the oven next door was too loud before. The name was found after {number} attempts.",
    ),
    (
        "Minutes template",
        "Date, people present, decisions, open points. Keep it to {number} decisions a page. Example times in the template, such as {time} to {later}, are placeholders.",
    ),
    (
        "Remote collaboration tips",
        "Cameras are optional. Start {number} minutes late on purpose if many people come from another call; that is a tip of the {team} team, nothing more.",
    ),
    (
        "Data centre maintenance calendar",
        "Maintenance of rack {number} is planned for {day} from {time} to {later}. Services stay available. Offices are not affected.",
    ),
    (
        "Frequently asked questions on lunch",
        "The canteen serves from 11:15 to 14:15. Vegetarian dishes run out around {time} on {weekday}s. Whether lunch is protected from calls is settled elsewhere.",
    ),
    (
        "Workshop formats",
        "World café: rounds of {minutes} minutes at {number} tables. Fishbowl: {number} chairs in the middle. Open space: no programme, which takes some courage.",
    ),
    (
        "Style guide for dates",
        "Write the month in letters. Examples of the guide, such as {day} at {time}, have no meaning of their own.",
    ),
    (
        "Travel to the office",
        "Bus line {number} leaves every {minutes} minutes, the last one at {later}. The garage has {number} visitor spaces.",
    ),
    (
        "Retrospective formats",
        "Sailboat, four Ls, and the time line. Allow {minutes} minutes for {number} people. The {team} team has photographs of all three.",
    ),
    (
        "Archive of office quizzes",
        "The quiz of {day} had {number} rounds and was won by {team}. The question about the opening hours of the old office ({time} to {later}) was answered by nobody.",
    ),
    (
        "Emergency numbers",
        "Porter: extension 5500. First aid: extension 55{number:02d}. The line is staffed from {time} to {later}, at night a service takes over.",
    ),
)

PROJECT_PAGES: Final = (
    "Run by {team}, with {number} people. Meetings of the project usually last {length} minutes and are over by {later}; that is a habit and binds nobody.",
    "Started by {team} in a spare room. The project likes meetings in the morning, {length} minutes at most. This page describes customs; what a meeting needs, its organiser says.",
    "A joint effort of {team} and {company}. On {weekday}s the team works undisturbed, as far as possible. No rule follows from that, and meetings have been held on {weekday}s.",
    "Frequently asked: how long is a meeting of {project}? Most took {length} minutes so far. How long the next one is, this page cannot know.",
    "Steered by {team}. In the first year meetings began at {time} and took {length} minutes; times and lengths are settled case by case since then.",
    "{team} keeps the documents. There was an idea to keep {minutes} minutes free after each meeting of {project}; it was never adopted.",
    "Known for its biscuits. Somebody once proposed to hold all meetings of {project} between {time} and {later}. Nothing came of it.",
)
"""Wiki pages about projects, with customs that bind nobody."""

KIND_PAGES: Final = (
    "How long is {kind}? Rule of thumb: {length} minutes. It is meant for those who have no idea yet, and whatever is said about a meeting itself counts instead.",
    "{Kind} goes well with {number} people and {length} minutes. Both are experience, not regulations.",
    "Checklist for {kind}: agenda, documents, {minutes} minutes of reserve if you like. The checklist is voluntary and replaces no policy.",
)
"""Wiki pages about kinds of meetings, with customs that bind nobody."""

ANNOUNCEMENTS: Final = (
    (
        "Suggestion: meetings inside core hours",
        "The working group on collaboration suggests holding meetings between {time} and {later}. It is a suggestion; no policy has been changed, and it binds nobody.",
    ),
    (
        "Trial of a meeting-free {weekday} is over",
        "The trial ended on {day}. Since then meetings may be held on {weekday}s as before, and nothing has to be kept free.",
    ),
    (
        "Standard length of {length} minutes: not adopted",
        "The proposal to give every meeting {length} minutes has been withdrawn. Each meeting takes as long as its organiser says.",
    ),
    (
        "Welcome to our new colleagues",
        "On {day} we welcome {number} new colleagues, most of them in {team}. They can be met in the lobby at {time}.",
    ),
    (
        "Window cleaning",
        "The windows on the street side will be cleaned on {day} from {time}. Please clear the sills. Work goes on as usual.",
    ),
    (
        "Summer party: save the date",
        "The party starts at {later} on the last Friday of June. There will be {number} bands and no speeches.",
    ),
    (
        "New caterer",
        "From {day} the canteen is run by {company}. Prices rise by {number} percent. Opening hours stay as they are.",
    ),
    (
        "Lift out of order",
        "The left lift is being repaired from {day} on, for about {number} days. The right lift and the stairs can be used.",
    ),
    (
        "Blood donation",
        "The bus is in the yard on {day} from {time} to {later}. A donation takes {minutes} minutes; everyone comes when it suits them.",
    ),
    (
        "Results of the survey",
        "{minutes} percent took part. The {team} team was the most satisfied one, mostly because of its plants.",
    ),
    (
        "An award for one of our teams",
        "The jury of {company} has given the team its prize for clear language. The cup can be admired in the lobby until {day}.",
    ),
    (
        "Phone system replaced",
        "In the night after {day}, between 1:00 and 4:00, the phones will be out of order. Numbers stay the same.",
    ),
    (
        "Flu vaccination",
        "The company doctor offers {number} dates, the first one on {day} at {time}. Taking part is voluntary.",
    ),
    (
        "Garage: barrier replaced",
        "On {day} the barrier stays open from {time} to {later}. The porter notes the number plates.",
    ),
    (
        "Lecture series",
        "A guest from {city} speaks on {day} at {later} about long-distance trade. Admission is free, also for families.",
    ),
    (
        "Old monitors for sale",
        "{number} monitors are sold for charity on {day}. The sale begins at {time} and usually lasts {minutes} minutes.",
    ),
)

NEWS: Final = (
    "Core hours: the works council would like to see them from {time} to {later}. So far that is a wish and binds nobody.",
    "The {project} team swears by meetings of {length} minutes. Others may do as they like.",
    "Poll: {number} of twenty readers want {minutes} minutes between two meetings. The poll has no consequences.",
    "Our customer {company} has extended its contract by {number} years.",
    "The {team} team has moved to new desks and invites everybody for coffee on {day} at {time}.",
    "Number of the week: {minutes} percent fewer printed pages than last year.",
    "The choir is looking for {number} voices. Rehearsals are on {weekday}s at {later}, after work.",
    "The office in {city} celebrated its anniversary; their lunch break, by the way, lasts {minutes} minutes.",
    "A reader asks why meetings always start at {time}. The editors do not know.",
    "Recipe of the week: lentils for {number} people, ready in {minutes} minutes.",
    "The {team} team ran {number} kilometres for a good cause.",
    "Tip: leave {minutes} minutes between two calls, your back will be grateful. This is advice, not a rule.",
    "Old rumours never die: no, the core hours have not been changed to {time}.",
    "Chess: {team} beat {company} after {number} hours.",
    "The library is closed on {day}.",
)

HOLIDAYS: Final = (
    ("Portugal", ((2, 9, "Carnival"), (3, 26, "Good Friday"), (4, 25, "Freedom Day"))),
    ("Japan", ((1, 11, "Coming of Age Day"), (2, 11, "National Foundation Day"), (2, 23, "Emperor's Birthday"))),
    ("South Africa", ((3, 22, "day off for Human Rights Day"), (4, 27, "Freedom Day"))),
    ("Finland", ((1, 6, "Epiphany"), (3, 26, "Good Friday"), (3, 29, "Easter Monday"))),
    ("Uruguay", ((2, 8, "Carnival Monday"), (2, 9, "Carnival Tuesday"), (4, 19, "Landing of the 33"))),
    ("Singapore", ((2, 6, "Lunar New Year"), (2, 8, "day off for Lunar New Year"), (3, 26, "Good Friday"))),
    ("New Zealand", ((2, 8, "day off for Waitangi Day"), (3, 29, "Easter Monday"))),
    ("Ireland", ((2, 1, "Saint Brigid's Day"), (3, 17, "Saint Patrick's Day"))),
    ("Mexico", ((2, 1, "Constitution Day, observed"), (3, 15, "Benito Juárez's birthday, observed"))),
    ("Brazil", ((2, 9, "Carnival"), (3, 26, "Good Friday"), (4, 21, "Tiradentes"))),
    ("Taiwan", ((2, 28, "Peace Memorial Day"), (4, 5, "Tomb-Sweeping Day"))),
)
