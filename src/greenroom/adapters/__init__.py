"""One folder per technology; nothing here knows of worlds or services."""
