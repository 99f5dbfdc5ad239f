# SPDX-License-Identifier: GPL-2.0-or-later
"""python3 -m HelperSDT SCRIPT [ARGUMENT]... or python3 -m HelperSDT -m MODULE [ARGUMENT]...

Runs the program as python3 itself would, with marks fired where its functions begin and end (extension.c says how).
"""
import os
import sys


def fail(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


try:
    from HelperSDT import _ktap
except ImportError as e:
    fail(1, f"HelperSDT: the extension does not load: {e}\n"
            f"this is python {sys.version_info.major}.{sys.version_info.minor}, {sys.executable}; "
            "ktap is built for the python3 whose python3-dev it found")


def new_main(file):
    """A fresh module __main__: ours goes on only in this frame."""
    main = type(sys)("__main__")
    main.__dict__.update(__builtins__=sys.modules["builtins"], __annotations__={})
    if file:
        main.__dict__.update(__file__=file, __cached__=None)
    sys.modules["__main__"] = main
    return main.__dict__


def clean_path(first):
    """sys.path without what led to this package, with the program's own first entry."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    while here in sys.path[not sys.flags.safe_path:]:
        sys.path.remove(here)
    if not sys.flags.safe_path:
        sys.path[0] = first


def load_code(path):
    """The code of a compiled file; None: the path is that of a source."""
    try:
        with open(path, "rb") as f:
            if not path.endswith(".pyc"):
                return None
            import pkgutil
            return pkgutil.read_code(f) or fail(1, f"HelperSDT: {path!r} is not of this python")
    except OSError as e:
        fail(2, f"{sys.executable}: can't open file {path!r}: [Errno {e.errno}] {e.strerror}")


def run_script(path):
    from importlib.machinery import SourceFileLoader, SourcelessFileLoader
    from pkgutil import get_importer

    if not os.path.isabs(path):
        path = os.path.join(os.getcwd(), path)
    if get_importer(path):
        # A folder or an archive with a __main__.py in it.
        import runpy
        clean_path(path)
        if sys.flags.safe_path:
            sys.path.insert(0, path)
        new_main(None)
        return _ktap.run(runpy._run_module_as_main, path, ("__main__", False), stem(path))
    clean_path(os.path.dirname(os.path.realpath(path)))
    if os.environ.get("PYTHONSAFEPATH") == "ktap":
        # Of ktaprun, against another HelperSDT in the working directory. The script still has its own directory.
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    code = load_code(path)
    names = new_main(path)
    names["__loader__"] = (SourcelessFileLoader if code else SourceFileLoader)("__main__", path)
    return _ktap.run(code, path, names, stem(path))


def run_module(name):
    import runpy
    clean_path(os.getcwd())
    new_main(None)
    return _ktap.run(runpy._run_module_as_main, name, (name,), name)


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def main():
    import threading

    args = sys.argv[1:]
    is_module = args[:1] == ["-m"]
    args = args[is_module:]
    if not args or args[0].startswith("-"):
        fail(2, __doc__.splitlines()[0].replace("python3", sys.executable))
    sys.argv[:] = ["-m" if is_module else args[0]] + args[1:]
    _ktap.start(os.path.dirname(os.path.abspath(__file__)) + os.sep)
    threading.setprofile(_ktap.thread_event)
    return 0 if (run_module if is_module else run_script)(args[0]) else 1


sys.exit(main())
