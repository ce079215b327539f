"""What the faces of worlds are made of: pieces for routes, pages and commands. Knows no world."""
