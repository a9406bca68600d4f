"""How Hypothesis runs: however slow the machine is, and in CI with the same examples every time."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("developer", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("developer"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")
