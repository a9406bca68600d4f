"""The engine of level 4: `solve(knowledge(world, instance))` computes the gold. Pure: values in, values out."""
