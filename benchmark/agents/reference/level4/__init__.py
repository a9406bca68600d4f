"""The reference agent of level 4: a grammar that reads text into tags, and the plan that finds what is needed."""
