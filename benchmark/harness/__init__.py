"""What belongs to pytest: options, settings, cases, episodes in flight, and the life of a run."""
