"""What the bar's routes, page and commands share: visits, simulated evenings, what it costs, how well it watches."""
