"""``python -m greenroom.entrypoints.cli`` is the program ``greenroom``."""

from greenroom.entrypoints.cli import main

if __name__ == "__main__":
    main()
