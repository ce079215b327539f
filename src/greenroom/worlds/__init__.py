"""Five complete worlds and the tutorial's; pure rules, content apart."""
