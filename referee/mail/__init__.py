"""What turns the bytes of a mail into values, and values into the bytes of a mail."""
