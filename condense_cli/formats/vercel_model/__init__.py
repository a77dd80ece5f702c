"""Messages that the AI SDK (Vercel) sends: `ModelMessage[]`."""
