"""Messages that applications on the AI SDK (Vercel) keep: `UIMessage[]`."""
