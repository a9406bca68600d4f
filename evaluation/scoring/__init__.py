"""One answer: parsed, scored and explained."""
