"""Nobody in: what strangers, forgers, robots and cheats may try, and what comes of it."""
