"""The environment of level 4: the tools of an office with several sites, a world that changes, and the prompts."""
