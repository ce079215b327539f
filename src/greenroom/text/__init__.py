"""Pure functions over text: terms, echoes, spelling, and what of a prompt fits."""
