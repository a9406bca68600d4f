"""Everything that is said, as text."""
