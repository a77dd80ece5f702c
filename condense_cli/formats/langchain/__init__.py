"""Messages of LangChain and LangGraph, in the three shapes in which applications store them."""
