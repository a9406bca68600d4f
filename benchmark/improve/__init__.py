"""From what a model gets wrong to a better model: worked examples, an optimised prompt, trained weights."""
