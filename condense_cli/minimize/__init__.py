"""The smallest file that still shows a finding, with nothing of the session's words in it."""
