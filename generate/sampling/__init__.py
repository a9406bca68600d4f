"""Sample the meeting of an instance: its people, times, room and conditions."""
