"""Everything that is said at level 4, as text."""
