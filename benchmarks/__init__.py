"""How fast and how small: greenroom beside raw SQLite and other runtimes, on the machine it runs on."""
