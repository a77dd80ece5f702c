"""Contents of the Gemini API."""
