"""The vocabulary of worlds: names, sites, equipment, titles, channels."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# fmt: off
FIRST_NAMES: Final = (
    "Aisha", "Akira", "Alba", "Amara", "Anders", "Anika", "Arjun", "Astrid", "Bao", "Bianca", "Bram",
    "Camila", "Chidi", "Clara", "Dario", "Dalia", "Elif", "Emeka", "Erik", "Esme", "Farid", "Fatima", "Felix",
    "Freya", "Giulia", "Hana", "Hugo", "Imani", "Ines", "Ivan", "Jada", "Jonas", "Kaito", "Karin", "Kofi",
    "Lara", "Leila", "Liam", "Lucia", "Magnus", "Maren", "Mateo", "Mei", "Mila", "Nadia", "Nikhil", "Noor",
    "Olga", "Omar", "Paula", "Pavel", "Priya", "Quinn", "Rafael", "Rosa", "Ruben", "Sam", "Sanna", "Selim",
    "Sofia", "Tariq", "Tessa", "Tomas", "Uma", "Viktor", "Wanda", "Yara", "Yusuf", "Zofia", "Zuri",
)
"""Given names, ASCII and without spaces."""

LAST_NAMES: Final = (
    "Abara", "Acosta", "Andersen", "Bakker", "Banerjee", "Becker", "Bergman", "Boateng", "Brandt", "Carter",
    "Castillo", "Chen", "Costa", "Dahl", "Demir", "Diallo", "Dubois", "Duarte", "Eriksen", "Falk", "Farouk",
    "Ferrari", "Fischer", "Fontaine", "Garcia", "Ghosh", "Haddad", "Hansen", "Holm", "Horvat", "Ibrahim",
    "Ivanova", "Jansen", "Kamau", "Kaya", "Keller", "Kim", "Kowalski", "Kruger", "Larsen", "Lindqvist",
    "Lopez", "Mbeki", "Mehta", "Meyer", "Moreau", "Mwangi", "Nair", "Nakamura", "Novak", "Nowak", "Okafor",
    "Oliveira", "Osei", "Park", "Petrov", "Rao", "Reyes", "Ricci", "Rossi", "Sato", "Schmidt", "Silva",
    "Singh", "Suzuki", "Tanaka", "Torres", "Tran", "Ueda", "Vargas", "Vogel", "Walsh", "Weber", "Yilmaz",
    "Zhang",
)
"""Family names, ASCII and without spaces."""

TEAMS: Final = (
    "Platform", "Finance", "Marketing", "Legal", "Research", "Operations", "Sales", "Support", "Design",
    "Logistics", "Compliance", "Analytics", "Facilities", "Procurement",
)

SITES: Final = (
    "Harbour House", "Mill Lane", "North Campus", "Station Square",
)
"""Sites with meeting rooms."""

JOB_TITLES: Final = (
    "Account manager", "Analyst", "Architect", "Business partner", "Coordinator", "Data engineer", "Designer",
    "Director", "Engineer", "Head of programme", "Lawyer", "Lead engineer", "Office manager", "Planner",
    "Product manager", "Project lead", "Quality manager", "Research associate", "Senior analyst",
    "Senior engineer", "Specialist", "Team assistant", "Team lead", "Vice president",
)

ROOM_NAMES: Final = (
    "Acacia", "Alder", "Almond", "Ash", "Aspen", "Bamboo", "Banyan", "Baobab", "Beech", "Birch", "Cedar",
    "Cherry", "Chestnut", "Cypress", "Ebony", "Elder", "Elm", "Fir", "Hawthorn", "Hazel", "Hickory", "Holly",
    "Juniper", "Larch", "Laurel", "Linden", "Magnolia", "Mahogany", "Maple", "Mulberry", "Myrtle", "Oak",
    "Olive", "Palm", "Pine", "Plum", "Poplar", "Quince", "Rowan", "Sequoia", "Spruce", "Sycamore", "Tamarind",
    "Teak", "Walnut", "Willow", "Yew", "Zelkova",
)

EQUIPMENT_PHRASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "conference phone": "a conference phone",
        "document camera": "a document camera",
        "flip chart": "a flip chart",
        "interactive display": "an interactive display",
        "lectern": "a lectern",
        "projector": "a projector",
        "sound system": "a sound system",
        "video conferencing": "video conferencing",
        "whiteboard": "a whiteboard",
    }
)
"""Equipment of rooms with the words that ask for it."""

EQUIPMENT: Final = tuple(EQUIPMENT_PHRASES)

EVENT_TITLES: Final = (
    "Supplier audit", "Roadmap sync", "Budget check", "Candidate interview", "Contract review",
    "Customer call", "Data migration rehearsal", "Design critique", "Escalation call", "Exit interview",
    "Expense claims", "Feature walkthrough", "Focus block", "Forecast update", "Hiring panel",
    "Incident follow-up", "Interface alignment", "Inventory check", "Invoice run", "Investor call",
    "Knowledge transfer", "Launch rehearsal", "Lease negotiation", "Legal consultation", "Load test",
    "Market briefing", "Mentoring", "Metrics review", "Migration check", "Onboarding buddy hour",
    "One-on-one", "Partner call", "Patent discussion", "Payroll check", "Performance review",
    "Portfolio review", "Press briefing", "Price negotiation", "Privacy assessment", "Process mapping",
    "Product demo", "Proposal drafting", "Prototype test", "Quality gate", "Quarterly numbers",
    "Recruiting chat", "Regression triage", "Release readiness", "Requirements review", "Risk assessment",
    "Safety training", "Sample inspection", "Security drill", "Service handover", "Skills training",
    "Stakeholder call", "Strategy hour", "Survey results", "Tender opening", "Test report review",
    "Tool evaluation", "Travel booking", "Usability test", "Vendor demo", "Vendor negotiation",
    "Warehouse tour", "Works council call",
)
"""Titles of people's single events."""

WEEKEND_TITLES: Final = (
    "On-call shift", "Trade fair", "Trade fair stand duty", "Travel to client", "Open day", "Recruiting fair",
    "Family visit", "School fair", "Charity run", "Volunteer day", "Data centre cut-over", "Inventory count",
    "Customer event", "Alumni event", "Book club", "Choir practice", "Driving lesson", "Football practice",
    "Garden day", "House viewing", "Language class", "Handyman visit", "Museum tour", "Neighbourhood fair",
    "Release watch", "Airport transfer", "Site inspection", "Weekend seminar",
)
"""Titles of people's single events on Saturdays and Sundays."""

TEAM_EVENT_TITLES: Final = (
    "Team planning", "Team retro", "Team weekly", "Backlog grooming", "Show and tell", "Team demo",
    "Shift handover", "Numbers of the week", "Case discussion", "Learning hour", "Pipeline meeting",
    "Team briefing",
)
"""Titles of weekly events that a team shares."""

BOOKING_TITLES: Final = (
    "Interviews", "Training", "Customer visit", "Workshop", "Team meeting", "Board preparation", "Video call",
    "Project room", "Maintenance", "Language course", "Negotiation", "Photo shoot", "Reserved",
    "Union meeting", "Vendor visit", "Press call", "Exam", "Assessment day", "Steering group",
    "First-aid course",
)
"""Titles of rooms' bookings."""

COMPANIES: Final = (
    "Orbital", "Nordwind", "Bluestone", "Quantex", "Solvara", "Tremont", "Vantiq", "Arcadia Foods",
    "Brightwater", "Kestrel Partners", "Lumen Works", "Mercator", "Oakfield", "Pinnacle Media",
    "Redline Freight", "Silverton",
)
"""Who guests come from."""

CHANNELS: Final = (
    "general", "planning", "projects", "product", "operations", "customers", "coordination", "office",
    "leadership", "partners", "delivery", "quality", "growth", "back-office",
)
"""Chat channels."""

# fmt: on
