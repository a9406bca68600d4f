"""Small talk: threads about no meeting at all."""

from typing import Final, NamedTuple


class Topic(NamedTuple):
    """What a small-talk thread is about."""

    openers: tuple[str, ...]
    replies: tuple[str, ...]


TOPICS: Final = (
    Topic(
        (
            "Who's in for lunch? {dish} today.",
            "The canteen has {dish} today, I'm going at {time}.",
            "Lunch plans? I'm craving {dish}.",
            "New lunch place around the corner, {dish} for {number} euros.",
        ),
        (
            "Count me in.",
            "I brought leftovers, sorry.",
            "Save me a seat, I'll be {minutes} minutes late.",
            "Again {dish}? They had that on {weekday}.",
            "The queue was endless yesterday, better go before {time}.",
            "Is there anything without nuts?",
            "Had it last week, it was fine.",
            "Only if we get the big table.",
        ),
    ),
    Topic(
        (
            "Deploying build {build} to staging at {time}.",
            "Heads-up, build {build} goes out today around {time}.",
            "Release {build} is ready, any last objections?",
            "Rolling back {build}, error rate went up.",
        ),
        (
            "Green light from us.",
            "Please wait {minutes} minutes, a migration is still running.",
            "The smoke tests passed, {number} warnings.",
            "Dashboards look normal.",
            "Latency is up by {minutes} milliseconds, watching it.",
            "Last time it took {minutes} minutes.",
            "The changelog is missing ticket {build}.",
            "Looks stable from here.",
        ),
    ),
    Topic(
        (
            "The coffee machine on floor {number} is broken again.",
            "Who refills the beans on floor {number}?",
            "New coffee beans! Floor {number}, first come, first served.",
            "The coffee machine needs descaling, I have no idea how.",
        ),
        (
            "Again? It lasted {number} days this time.",
            "The technician comes on {weekday} at {time}.",
            "Floor {number} still works, for now.",
            "Tea has never let me down.",
            "There's a video on how to do it, {minutes} minutes long.",
            "I pressed all the buttons, nothing.",
            "I can have a look after lunch.",
            "It needs {number} litres of water first.",
        ),
    ),
    Topic(
        (
            "Does anyone have the slide template from {year}?",
            "Where do I find the style guide, edition {year}?",
            "Looking for the survey results of {year}.",
            "Does anybody still have the customer list from {year}?",
        ),
        (
            "In the shared folder, subfolder {number}.",
            "I have a copy, sending it over.",
            "That one was replaced in {year}, take the new one.",
            "Page {number} is missing in my copy.",
            "I only have the old one.",
            "Ask the library, they keep everything for {number} years.",
            "The link expired on {weekday}.",
        ),
    ),
    Topic(
        (
            "{weekday} football, we are {number} short.",
            "Running group: {weekday} at {time}, about {number} kilometres.",
            "Anyone for badminton on {weekday}?",
            "Yoga in the gym on {weekday}, {time}, {minutes} minutes.",
        ),
        (
            "I'm in.",
            "My knee says no.",
            "Can I bring a friend?",
            "Last time I could hardly walk for {number} days.",
            "I might be a few minutes late.",
            "I'll bring the water.",
            "Only if it doesn't rain.",
            "Next week for sure.",
        ),
    ),
    Topic(
        (
            "Printer on floor {number} says error {build}.",
            "Wi-Fi is slow on floor {number}, only for me?",
            "My laptop needs {minutes} minutes to start. Normal?",
            "VPN is down since {time}.",
        ),
        (
            "Same here.",
            "Turn it off and on again.",
            "Ticket {build} is open for that.",
            "Help desk says it will be fixed by {time}.",
            "No trouble here so far.",
            "Give it another {minutes} minutes.",
            "It's the update of {weekday} night.",
            "It took them {number} hours last time.",
        ),
    ),
    Topic(
        (
            "Found: a set of keys with a yellow tag, floor {number}.",
            "Lost my badge somewhere between the garage and floor {number}.",
            "Whose grey scarf is this? It's been here since {weekday}.",
            "Someone left {number} umbrellas in the lobby.",
        ),
        (
            "Not mine.",
            "Try the reception, they are there until {time}.",
            "That could be mine! Coming down in {minutes} minutes.",
            "The reception has a whole box of those.",
            "Found the owner, all good.",
            "Mine has a button missing.",
            "Ask in the canteen too.",
        ),
    ),
    Topic(
        (
            "Cake in the kitchen on floor {number}, it's my birthday!",
            "Baby news: {weekday} at {time}, all well!",
            "Today is my {ordinal} anniversary here, cookies at my desk.",
            "Last day for me on {weekday}, drinks at {time} in the yard.",
        ),
        (
            "Congratulations!",
            "All the best!",
            "Is there any left?",
            "How did that time go by so fast?",
            "On my way.",
            "So happy for you!",
            "Collecting for a present, {number} euros each.",
            "Sign the card, it's at my desk until {time}.",
        ),
    ),
    Topic(
        (
            "Trains are delayed by {minutes} minutes because of the storm.",
            "Motorway closed until {time}, I'm working from home.",
            "Snow! Did anyone make it to the office?",
            "Bus line {number} is on strike on {weekday}.",
        ),
        (
            "Made it, soaked to the skin.",
            "Stay at home, nobody is here.",
            "Line {number} is running.",
            "It took me {minutes} minutes instead of {number}.",
            "Cycling was fine.",
            "The forecast says it's over by {time}.",
            "Take care, everyone.",
        ),
    ),
    Topic(
        (
            "Survey about the office plants closes on {weekday}.",
            "Please fill in the canteen survey, {minutes} questions only.",
            "Vote for the name of the new printer!",
            "The photo contest is open, up to {number} pictures each.",
        ),
        (
            "Done.",
            "Question {number} makes no sense to me.",
            "Is it anonymous?",
            "I vote for the cactus.",
            "{minutes} answers so far, keep going.",
            "The link asks for a password.",
            "Reminder set for {time}.",
        ),
    ),
    Topic(
        (
            "Reading group: chapter {number} by {weekday}?",
            "Anyone read the article about remote teams? {minutes} minutes well spent.",
            "Podcast tip for the commute, episode {number}.",
            "The library bought {number} new books on testing.",
        ),
        (
            "On my list.",
            "Chapter {number} was dry.",
            "I fell asleep after {minutes} minutes, to be honest.",
            "Great tip, thanks.",
            "Is there a transcript?",
            "Borrowed one, will pass it on by {weekday}.",
            "The author gave a talk here in {year}.",
        ),
    ),
    Topic(
        (
            "Ticket {build}: can somebody from support have a look?",
            "Customer asks about invoice {build}, who knows more?",
            "The import job failed {number} times last night.",
            "Alert {build} keeps firing every {minutes} minutes.",
        ),
        (
            "I'm on it.",
            "That's a known issue since {weekday}.",
            "Assigned to me.",
            "Need the log from {time}, please.",
            "Fixed, the certificate had expired.",
            "It's a duplicate of {build}.",
            "The customer has been told.",
            "Let's raise the threshold to {minutes}.",
        ),
    ),
    Topic(
        (
            "Spring cleaning of the fridge on {weekday} at {time}.",
            "Whose lunch box is that, third shelf, since {weekday}?",
            "Dishwasher on floor {number} leaks.",
            "We ran out of milk on floor {number}.",
        ),
        (
            "That was mine, sorry.",
            "Please label your things.",
            "Facilities knows, they come at {time}.",
            "I'll have a look on my way out.",
            "Same on floor {number}.",
            "I don't want to know what is in there.",
            "Somebody should put up a sign.",
        ),
    ),
    Topic(
        (
            "Do we have a licence left for the drawing tool?",
            "Procurement asks how many monitors we need next year.",
            "My order {build} has been stuck since {weekday}.",
            "New headsets have arrived, {number} left.",
        ),
        (
            "I'd take one.",
            "{number} licences free, ask me.",
            "The supplier says {minutes} days.",
            "Approved at {time}, should arrive on {weekday}.",
            "Mine crackles, can I swap it?",
            "Cost centre {build}, as always.",
            "Procurement knows about it.",
        ),
    ),
)

GENERIC_REPLIES: Final = (
    "Ha!",
    "😄",
    "Thanks!",
    "👍",
    "Good to know.",
    "Thanks for the heads-up.",
)

OWN_REPLIES: Final = (
    "Thanks!",
    "👍",
    "Good to know, thanks.",
    "Ha!",
    "Thanks, everyone.",
    "😄",
    "Great, thanks.",
)
"""What whoever opened a thread says to answers."""

ADDITIONS: Final = (
    "Reply here or just drop by, I'm at my desk for most of the day.",
    "No rush at all, it only came to my mind on the way up from the garage.",
    "Facilities said that we should post such things here rather than send mails to everybody.",
    "If that's the wrong channel for it, please move it or tell me which one is right.",
    "Sorry if somebody has posted it before, the search is a bit slow for me right now.",
)
"""Follow an opener."""

DISHES: Final = (
    "lentil soup",
    "lasagne",
    "dumplings",
    "falafel",
    "mushroom risotto",
    "ramen",
    "pierogi",
    "chickpea curry",
    "pancakes",
    "grilled halloumi",
    "gnocchi",
    "shakshuka",
    "pizza",
    "bibimbap",
)

# fmt: off
TIMES: Final = (
    "8:45", "9:30", "10:00", "11:15", "11:45", "12:30", "13:15", "14:30", "15:00", "16:00", "16:45", "17:30",
)
# fmt: on
