"""Verifies a run: everything that follows from something else is made again and compared."""
