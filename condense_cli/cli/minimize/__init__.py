"""condense minimize: the smallest file that still shows a finding, for a report to the client."""
