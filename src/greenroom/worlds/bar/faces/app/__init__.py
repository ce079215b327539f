"""What people and programs can do with the bar: its use cases, beside any face."""
