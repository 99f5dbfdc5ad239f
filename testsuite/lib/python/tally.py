"""A function whose whole body is `with tally(NAME)` counts its calls and returns."""
import collections
import threading

calls, returns = collections.Counter(), collections.Counter()
lock = threading.Lock()


class tally:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        with lock:
            calls[self.name] += 1

    def __exit__(self, *what):
        with lock:
            returns[self.name] += 1


def show():
    for name in sorted(calls):
        print("own", name, calls[name], returns[name])
