"""Why an episode of level 4 failed: deduced from its calls and its candidates, without a model."""
