"""The pytest suite: source tools, agents, fixtures and the test case of every instance."""
