"""Passages of policy documents that contain no rule about the times of meetings."""

from typing import Final

INTRODUCTIONS: Final = (
    "This document collects what the management board and the works council have agreed on how we work together. Sections that carry a policy ID apply to a meeting only if that policy is called for by its ID, in the invitation or in the conversation about the meeting; a section that nobody calls for binds no meeting, however sensible it may be. Sections without an ID are for general information. The order of the sections has grown over the years and has no meaning.",
    "The following pages were compiled by the office of internal affairs from earlier circulars. Each policy has an ID of its own and is independent of the others: calling for one of them does not bring another with it, even where the text mentions a neighbour. Where a section tells its history, only what is said in the present tense holds today. Please address questions to the office and not to the authors of earlier editions, several of whom have left the company.",
    "We have tried to keep this handbook short and have failed, mostly because people asked for reasons. Each section gives its reasons together with the rule itself, a look back at what was in force before, and cases that have often been confused with it. A policy is applied to a meeting when its ID is named for that meeting. Everything else in here is background, and some of it is merely of historical interest.",
    "Good rules are few and well known. This volume holds the rules on working time and premises that were kept when the older circulars were sorted out. Every rule is quoted by the ID of its policy. A meeting is bound by each policy whose ID is quoted for it, be it one or several, and by none whose ID is not. Paragraphs on expenses, equipment, visitors and the like have been left in between because readers look for them here.",
    "This collection is kept by the policy office and printed on request. A section with a policy ID takes effect for a meeting at the moment in which somebody who may decide about the meeting names that ID for it. Until then it is an offer. The sections were written at different times by different hands, and the office has left their style as it was; differences of tone are no differences of rank.",
    "New colleagues often ask which of our rules they have to know by heart. The answer is none. Whoever plans a meeting looks up the policies whose IDs were given for it and may skip the others with a clear conscience. Sections without an ID describe how things are done around the house. They are read for orientation and oblige nobody.",
    "What follows was approved in several sittings and put together in one volume afterwards. Nothing in it applies to all meetings. A policy counts for a meeting if its ID is stated for that meeting, alone or together with others, and then it counts without exception. Earlier wordings are retold where they help to understand the present one, and only for that reason.",
    "The volume has been shortened twice and is still longer than its editors would like. It holds policies, each under its own ID, and notes that belong to no policy. Planners need the former, and of these only the ones that are named for the meeting at hand. No section changes another, and none refers to another for anything that a planner would have to know.",
)

SCOPES: Final = (
    "The section addresses everyone who sends invitations, on their own behalf or for others, regardless of grade, contract and place of work. It is applied where its ID is named for a meeting; otherwise it has no effect on that meeting.",
    "It makes no difference whether people meet in a room, by telephone or on screen. What counts is that the policy has been called for by its ID.",
    "Assistants who plan for several executives apply the section in the same way as everybody else, provided that the meeting at hand falls under this ID. Rank makes no difference.",
    "External partners are asked to respect the section as soon as the inviting side has named its ID. They need not know the rest of this document.",
    "The section leaves contracts, shift rosters and collective agreements untouched. It governs the planning of those meetings for which its ID is quoted and nothing beyond that.",
)

UPKEEP: Final = (
    "Questions about the interpretation go to the policy office, which keeps a list of answers and publishes it twice a year. Answers given orally are well meant but not binding.",
    "The text is reviewed every other autumn. Comments may be left in the electronic edition for 30 days after each review is announced, and about a dozen arrive each time.",
    "Managers see to it that new colleagues get to know the section within 4 weeks of joining. A quiz of 12 questions is offered but not compulsory.",
    "Breaches are pointed out in private first. The aim is a habit, not a tally, and no statistics by name are kept.",
    "The wording was simplified after a reading group of 9 volunteers had gone through it sentence by sentence, with coffee, on two rainy afternoons.",
    "Translations exist in 3 languages; in case of doubt the English text prevails. The printed booklet is no longer produced.",
    "An archive of withdrawn editions is kept for auditors. Withdrawn editions have no bearing on anything that is planned today.",
)

PRACTICE: Final = (
    "In daily use, the section is easiest to observe if the planner looks at it before the first proposal goes out and not after the fifth has been declined. The planning sheet on the intranet has a field for the ID of the policy, and a colleague in the policy office is happy to show how it is filled in.",
    "Experience from the pilot in two departments was good. Of 46 people asked, 39 wished to keep the arrangement, 5 had not noticed it, and 2 were against it on principle. Their objections are documented in the appendix of the pilot's report.",
    "Doubts arise mostly when several teams plan together. Then the team that sends the invitation names the ID, the others follow, and the matter is settled without further debate. Should two invitations collide, the earlier one stays where it is, and the later one is planned again with the same care.",
    "Compliance with the section is a matter of courtesy more than of control. Still, a planner who has overlooked it should correct the plan without being asked twice, tell those concerned in one short message, and leave it at that; long apologies cost more time than the mistake did.",
    "For the purposes of this section, a meeting is anything with an invitation and at least two people, whether it is called a review, a workshop, a sync or something friendlier. A chat at the coffee machine is not a meeting, and neither is a telephone call that nobody has planned.",
    "The section replaces several local habits that had grown side by side and contradicted each other. Some of them survive in old templates, on posters and in the memory of long-serving colleagues. None of that overrides the wording printed here, which both sides signed.",
)

REFERENCES: Final = (
    "See also {other}, which deals with another matter and applies only where it is called for by its own ID.",
    "Readers often confuse this section with {other}; the two are independent, and naming one does not call for the other.",
    "A related thought is found in {other}. It is a policy of its own and not part of this section.",
    "Section {other} was drafted by the same working group, but it is a separate policy with its own ID.",
)

INTERLUDES: Final = (
    (
        "Expenses",
        "Expenses are claimed within 60 days, with the original receipt or a legible picture of it. Claims of less than 25 euros are paid with the next salary; larger ones need the approval of the cost centre, which usually takes 5 working days. Tips are refunded up to one tenth of the bill.\n\nMeals with guests are refunded up to 45 euros a head, provided that the names and the occasion are noted on the receipt. Alcohol is not refunded, with the exception of the toast at a jubilee. Whoever pays for a whole table asks the others not to claim the same meal again; the finance team finds duplicates every quarter and would rather not.\n\nPrepayments can be asked for where a trip costs more than 500 euros. They are settled at the end of the month after the trip.",
    ),
    (
        "Travel",
        "Trains are preferred to planes for journeys of less than 6 hours. First class may be booked where it costs no more than 20 euros extra or where the journey is longer than 4 hours and used for work. Seats should be reserved on busy lines.\n\nHotels are booked through the travel portal. The upper limit is 140 euros a night, 190 in the cities on the list of expensive places, which is updated every January. Rooms cancelled before 18:00 on the day before arrival cost nothing.\n\nTravel time counts as working time between 6:00 and 22:00, up to a maximum of 10 hours a day. Travellers who return after 23:00 may start later on the following day, by arrangement with their manager.",
    ),
    (
        "Clean desks",
        "At the end of the day, desks are left clear. Papers go into the cabinet, cups into the kitchen and screens into standby. The cleaning crew comes at 19:30 and is under instruction not to move anything, so whatever is left lying about stays dusty.\n\nConfidential papers belong in the locked bins on each floor, which are emptied every second week. The key is with the floor's fire warden. A sheet that is found on a printer is kept for 24 hours and then shredded.\n\nPlants are welcome as long as somebody waters them. During holidays a neighbour can be asked to.",
    ),
    (
        "Visitors' badges",
        "Visitors are announced at the reception by 16:00 on the previous day and get a badge with a green stripe. They are met at the gate by their host and accompanied back to it. A host who cannot come sends somebody else; the reception does not lead visitors through the house.\n\nBadges are returned in the evening. Every month about 6 are carried home by mistake, and a stamped envelope is sent after them. Photographs are allowed in the lobby, in the canteen and in the garden, nowhere else.\n\nSchool classes are limited to 28 pupils and 2 hours, and need the consent of the communications team 3 weeks ahead.",
    ),
    (
        "Company bicycles",
        "The 14 bicycles in the yard may be borrowed for up to 3 hours. The key is taken from the board and the name is written on the list; for longer rides the facilities team is asked first. Helmets hang next to the door and are to be put back dry.\n\nA puncture is reported on the same day. The workshop repairs on Tuesday mornings from 8:00 to 10:00, and small repairs may be done by anyone with the tools in the blue box. Electric bicycles are charged at the three marked sockets only.\n\nFrom November to February, 8 of the bicycles are overhauled and not available.",
    ),
    (
        "Software on office computers",
        "Programs are installed from the internal catalogue. What is missing there is requested with a form of two pages, and the answer comes within 7 working days. Trial versions are used for 30 days at the most and then removed, whether or not somebody remembers.\n\nUpdates are distributed in the night from Wednesday to Thursday between 1:00 and 4:00. The computer should be left switched on but locked. An update that is put off three times installs itself at the next start, which can take 25 minutes.\n\nPrivate programs are not supported, and the help desk may ask to remove them before it looks into a fault.",
    ),
    (
        "Parking",
        "The garage has 82 places, of which 10 are reserved for electric cars, 4 for people with disabilities and 6 for visitors. Places are assigned by lot each half-year; colleagues with a long way to work or with small children take part with two tickets.\n\nCharging is limited to 4 hours a car between 7:00 and 17:00. Whoever is done moves the car, and whoever does not gets a note from the neighbours, which is usually more effective than one from the facilities team.\n\nThe barrier opens with the badge. When it does not, the porter can be reached under extension 5500 until 21:00.",
    ),
    (
        "Printing and paper",
        "There is a printer on every second floor, next to the stairs. A job waits for 12 hours and is printed when the badge is held to the reader. Double-sided and without colour is the default; whoever needs colour chooses it for the single job.\n\nIn the last year 310,000 sheets were printed, a third fewer than in the year before. The target for this year is 250,000. Large jobs of more than 400 sheets go to the print shop, which delivers within 2 days and binds on request.\n\nToner is replaced by the service company on Mondays and Thursdays. Empty trays are refilled by whoever finds them empty, as a matter of good manners.",
    ),
    (
        "First aid and fire protection",
        "Every floor has 3 first-aiders and 2 fire wardens, whose names are posted at the lifts. Courses are renewed after 24 months, last 9 hours on one day or 5 hours each on two, and are paid by the insurer.\n\nThe alarm is tested on the first Saturday of each quarter at 8:15. A full drill takes place once a year, is not announced, and lasts 20 minutes on average, including the time until everybody has been counted at the assembly point.\n\nDefibrillators hang at the reception and next to the canteen. The cabinet sounds an alarm when it is opened; that is intended.",
    ),
    (
        "Training budget",
        "Everybody has 5 days and 1,200 euros a year for training. What has not been used by December lapses, except after parental leave. Courses are agreed with the manager in the yearly talk, in which 30 minutes are set aside for the subject.\n\nLanguage courses are paid in full where the language is used at work, otherwise by half. They take place before 9:00 or after 17:00. Books up to 80 euros may be ordered without asking and belong to the library afterwards.\n\nWhoever has attended a conference tells the others about it within 6 weeks, in a form of their own choice.",
    ),
    (
        "Holidays and absence",
        "Holidays are entered in the portal, those of more than 10 days by the end of March. Managers answer within 2 weeks. Bridge days are given out in turn, and colleagues with children of school age come first in the school holidays.\n\nIllness is reported by 9:30 on the first day. A certificate is needed from the fourth day on. After an absence of more than 6 weeks, a talk on the return is offered, which lasts about 40 minutes and is voluntary.\n\nSpecial leave of 1 or 2 days is granted for weddings, births, deaths and moving house, as listed in the collective agreement.",
    ),
    (
        "Gifts and invitations",
        "Gifts worth up to 35 euros a year and a giver may be accepted. Everything beyond that is politely declined or handed to the compliance team, which raffles it for a good cause in December. Cash and vouchers are never accepted, whatever their amount.\n\nInvitations to dinners and matches are accepted if they have a business occasion and if the host is present. They are entered in the register within 10 days. The register was opened in 2019 and holds 640 entries, most of them calendars and chocolate.\n\nWhoever negotiates a contract accepts nothing from the other side until it has been signed.",
    ),
    (
        "Kitchen and fridges",
        "The kitchens are cleaned twice a day, at 10:30 and at 15:30, and belong to everybody. Dishes go into the machine and not on top of it; the machine is started by whoever finds it full, with programme 3, which takes 55 minutes.\n\nFood in the fridge carries a name and a date. On Fridays after 16:00 the fridges are emptied of everything that has been in there for more than 7 days. The rule is old and its enforcement is new.\n\nCoffee is free, and so is fruit on Mondays and Wednesdays. Descaling the coffee machine is shown to anyone who asks.",
    ),
    (
        "Working from home",
        "Up to 3 days a week may be worked from home, by arrangement within the team. The equipment is lent by the company: a screen, a chair and a headset, for a deposit of 50 euros. The electricity is not refunded, but the tax office allows a lump sum.\n\nThe connection should be fast enough for a picture, which means about 6 megabits. Confidential calls are not made on a balcony. In case of a power cut of more than 2 hours, the day is finished in the office or taken from the account of hours.\n\nThe arrangement can be ended by either side with 4 weeks' notice.",
    ),
    (
        "Lost property",
        "What has been found is handed in at the reception and kept for 90 days. Phones and wallets are locked away at once, umbrellas are not. The list of finds is published on the first working day of the month and has between 10 and 30 entries.\n\nOwners describe the thing before they see it. What nobody has asked for is given to the charity shop in the next street, with the exception of keys, which are destroyed after 12 months.\n\nThe reception cannot search rooms for lost things on request, but it will send a message to the cleaning crew, who start their round at 19:30.",
    ),
    (
        "Energy and heating",
        "Offices are heated to 20 degrees and cooled to no less than 25. The heating is lowered from 18:30 on and at weekends. Private electric heaters are forbidden, because the fuses on the third floor have shown their limits twice.\n\nLights in the corridors go out by themselves after 8 minutes without movement. Monitors switch to standby after 10. Whoever leaves last closes the windows, in particular the 4 skylights above the stairs, which have let in rain more than once.\n\nIn the last winter the consumption fell by 14 percent. The savings paid for the new bicycle stands.",
    ),
    (
        "Post and parcels",
        "The post is delivered to the pigeonholes at 9:45 and collected at 16:15. Registered letters are signed for at the reception. Parcels heavier than 20 kilograms stay in the yard until somebody comes with a trolley, of which there are 3.\n\nPrivate parcels may be delivered to the office, within reason, and are picked up on the same day. In December the storeroom is full, and the reception asks for restraint from the 5th to the 24th.\n\nCouriers are ordered in the portal. The express rate applies to deliveries within 90 minutes and needs the consent of the cost centre.",
    ),
    (
        "Use of pictures and logos",
        "Pictures from the image library may be used for presentations and on the intranet. For print and for campaigns, the licence is checked by the communications team, which needs 3 working days. The library holds 8,200 pictures, of which about 900 show people.\n\nWhoever is recognisable in a picture has agreed to it in writing and may withdraw the agreement. The picture is then removed within 14 days.\n\nThe logo keeps a distance of half its height from every other element. It is not stretched, tilted, animated or set on photographs of food, all of which has happened.",
    ),
    (
        "Dogs in the office",
        "Dogs are welcome on the ground floor if all colleagues in the room have agreed. The agreement is renewed every 6 months and may be taken back at any time without giving reasons. At most 2 dogs stay in a room at once.\n\nEvery dog needs liability insurance, a blanket and a bowl. It is walked at least every 4 hours, and the small park behind the car wash is recommended for it. A dog that keeps barking goes home.\n\nIn the canteen, in the laboratories and in the lifts, dogs are not allowed, except for assistance dogs, which may go everywhere.",
    ),
    (
        "Retention of records",
        "Contracts and vouchers are kept for 10 years, business letters for 6, applications that were turned down for 6 months. The periods begin at the end of the calendar year. Electronic records are deleted by a job that runs on the second Sunday of January and takes about 11 hours.\n\nRecords that matter for a dispute are exempted by the legal team, which marks them with a red label. The label is removed by nobody else, even when the dispute seems to be over.\n\nPrivate notes are not records. They belong to those who wrote them.",
    ),
    (
        "Colleagues who leave",
        "On the last day, the badge, the keys, the computer and the telephone are handed in at the help desk, which is open from 8:00 to 16:00. Accounts are closed at midnight. A forwarding note stays in the mailbox for 60 days.\n\nThe exit talk is voluntary and lasts about 45 minutes. Its results are collected without names and presented to the board once a year, together with what has been changed because of them.\n\nA farewell in the kitchen is customary. Up to 8 euros a head are contributed by the department, and speeches are kept to 5 minutes by general consent.",
    ),
)
"""Sections without a policy ID: heading and text."""
