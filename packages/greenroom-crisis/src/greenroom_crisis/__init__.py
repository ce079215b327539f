"""What the crisis check of Greenroom's bar has learned from, and how: ``python -m greenroom_crisis all``."""
