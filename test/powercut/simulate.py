"""simulate.py TOOL ARGUMENT…: runs the simulator in TOOL with two corrections. Its self-tests omit every sync of a
file, by either call: SQLite uses fsync where the first releases used fdatasync, the only one that the simulator omits.
And a write interrupted by SIGKILL ends with its process: if the trace has no line for its end, the simulator considered
it unsynced through every later sync, and applied it over what the next server wrote in its place."""
import sys

sys.path.insert(0, sys.argv.pop(1))
import simulate

parse = simulate.parse


def corrected(*arguments):
    names, events, odd = parse(*arguments)
    for event in events:
        if event["op"] == "sync":
            event["full"] = False
    kills = [event["start"] for event in events if event["op"] == "killed"]
    for event in events:
        if event["op"] in ("write", "trunc") and event["end"] is None:
            event["end"] = next((kill for kill in kills if kill > event["start"]), None)
    writes = [event for event in events if event["op"] == "write"]
    # It is unknown whether such a write was carried out, so the files may differ from the trace by it.
    if writes and not writes[-1].get("ok"):
        print("a process ended in the middle of a write to", writes[-1]["path"].rsplit("/", 1)[-1])
    return names, events, odd


simulate.parse = corrected
simulate.main()
