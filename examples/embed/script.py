"""Ask from a plain script: progress as it comes, then the answer with its sources.

    python examples/embed/script.py "Who founded the organisation that developed Project Aurora?"

Interrupt it with Ctrl-C and run it again with the same question: it goes on where it was.
"""

import hashlib
import sys

from groundhop import Agent, Context

DEFAULT = "Who founded the organisation that developed Project Aurora?"


def main(question: str) -> int:
    """Ask, or go on with what was interrupted; 0 if it was answered, else 3."""
    # A name that follows from the question: asked again, an interrupted thread is found.
    thread = f"script-{hashlib.sha256(question.encode()).hexdigest()[:12]}"
    with Agent.open() as agent:
        unfinished = {info.thread for info in agent.threads() if info.resumable}
        if thread in unfinished:
            events = agent.stream_resume(thread)
        else:
            events = agent.stream(question, thread=thread, context=Context(steps=4))
        for event in events:
            if event["event"] == "searching":
                print(f"… {event['query']}", file=sys.stderr)
        result = event["result"]
    print(result.text)
    for citation in result.answer.get("citations", []):
        print(f"[{citation['number']}] {citation['source']}: {citation['quote']}")
    return 0 if result.status == "answered" else 3


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:]) or DEFAULT))
