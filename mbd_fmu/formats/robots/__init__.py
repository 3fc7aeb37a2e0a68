"""A robot between its file and our table: links and joints, what they weigh, what moves as one."""
