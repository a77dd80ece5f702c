"""One JSON request out of a thread: the messages that a provider accepts, whatever the session holds.

gather.py puts the turns in order and the results to their calls; anthropic.py and openai_chat.py write them in
the words of their API; proof.py checks what came out as any other array of messages.
"""
