"""Files that resemble sessions and are not: event streams, and formats of other agents. They are named and refused."""
