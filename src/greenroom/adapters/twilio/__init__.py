"""Letters by SMS: handed to Twilio by ``channel``, read by ``inbound`` when they come back."""

#: Characters of one SMS at most, by Twilio's rule; it splits what is longer than one message of the network.
MOST_TEXT = 1_600
