"""Which meeting an instance asks for: its people, time, room and conditions."""
