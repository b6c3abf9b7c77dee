"""How much of what is tried by the dice a run takes: a part of its full count, so that every day's run is quick and a soak can be long. As tests/support/seeds.ts."""
from __future__ import annotations

import math
import os
import random
from typing import Final

_SHARE: Final = float(os.environ.get("SEEDS", "0.2"))
SEED: Final = int(os.environ.get("SEED") or random.randrange(2**31))


def seeded_runs(full: int, most: int | None = None) -> int:
    """most: in a run that is no soak, for what takes long."""
    runs = max(1, math.ceil(full * min(_SHARE, 1)))
    return runs if most is None or _SHARE >= 1 else min(runs, most)


def throw() -> random.Random:
    """What it chooses is the same again with SEED as the title or the message of a test says it."""
    return random.Random(SEED)
