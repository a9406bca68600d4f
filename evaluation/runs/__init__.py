"""Many episodes on disk: the folder of a run, and what reads, joins, rescores and verifies it."""
