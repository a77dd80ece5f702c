"""Messages of Bedrock Converse."""
