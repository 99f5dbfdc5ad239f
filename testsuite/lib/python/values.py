class Box:
    def __repr__(self):
        raise SystemExit("the program's code ran")

def take(number, text, data, things, *rest, flag=None, **more):
    inner = lambda: text
    later = number + 1
    return [number, things]

def fails(n):
    raise KeyError(n)

take(-5, "it's\n", b"\x00b", {"a": (1,), "b": {2.5}}, Box(), flag=True, key=[None, ...])
take(1 << 70, "x" * 1000, b"", list(range(100)))
me = []
me.append(me)
take(0, "\u00e9\u20ac", b"", me)
take(1, "", b"", [set(), frozenset(), frozenset({1}), {2}])
try:
    fails(3)
except KeyError:
    pass
