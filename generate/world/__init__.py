"""The base world of a level: people, rooms, calendars, documents, pages and the threads of other meetings."""
