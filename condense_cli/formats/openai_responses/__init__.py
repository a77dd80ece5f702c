"""Items of the OpenAI Responses API."""
