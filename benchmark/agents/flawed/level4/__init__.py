"""Flawed agents of level 4: the reference agent that misreads one mechanism in one obvious way, or all of them."""
