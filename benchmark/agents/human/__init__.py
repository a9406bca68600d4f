"""A person as the agent: what a person does is kept move by move, in the terminal or in a web page."""
