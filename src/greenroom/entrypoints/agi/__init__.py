"""Secret AGI for whoever runs games of it: the seed's usage patterns, tournaments, and what they come to."""
