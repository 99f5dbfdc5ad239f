/* SPDX-License-Identifier: GPL-2.0-or-later */
/* _ktap: tells tracers of the functions of a Python program.
 *
 * start() sets a profile function. For each function that begins or ends it fires a mark (sys/sdt.h) whose one argument is
 * the address of a struct event: texts made while the interpreter's lock is held, so that the probe's handler reads memory
 * that nobody changes. Marks come in four kinds: what costs time, a backtrace or the values of variables, is made when
 * somebody listens to the mark that is for it. Nobody listening costs a look at eight counters.
 *
 * $KTAP_PYTHON, set by ktaprun for the command it starts, are the wanted functions: patterns "MODULE:FUNCTION@FILE" as the
 * translator writes them, one a line. Without it every function fires, and the handlers choose.
 *
 * A generator begins once and ends once: neither yielding nor being resumed counts.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <fnmatch.h>
#include <frameobject.h>
#include <opcode.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#if PY_VERSION_HEX < 0x030c0000 /* 3.12 renamed them; 3.14 deprecates the old names */
#define PyUnstable_Code_GetExtra _PyCode_GetExtra
#define PyUnstable_Code_SetExtra _PyCode_SetExtra
#define PyUnstable_Eval_RequestCodeExtraIndex _PyEval_RequestCodeExtraIndex
#endif

/* ---- what handlers see ---- */
enum { FRAMES_MAX = 128, VARIABLES_MAX = 128, TEXT_MAX = 65536, VALUE_MAX = 400, ITEMS_MAX = 16, DEPTH_MAX = 4,
       NUMBER_MAX = 32 };

struct variable {
	const char *name, *value;
};

/* tapset/process/python.stp knows the offsets. */
struct event {
	unsigned long magic;   /*  0 */
	const char *name;      /*  8 "module:function@file" */
	const char *module;    /* 16 */
	const char *function;  /* 24 */
	const char *file;      /* 32 */
	long line;             /* 40 that the function begins on, or leaves at */
	const char *result;    /* 48 NULL: not a return, or by an exception */
	long n_frames;         /* 56 */
	const char **frames;   /* 64 lines, the innermost frame first */
	long n_parameters;     /* 72 the first ones of variables */
	long n_variables;      /* 80 */
	const struct variable *variables; /* 88 */
};

static const unsigned long magic = 0x6b7470796576656eUL; /* "nevepytk", as bytes lie in memory */

/* Bits of what is listened to, and so of what is made. */
enum { PLAIN = 1, BACKTRACE = 2, VARIABLES = 4, ALL = 8 };

#define SEMAPHORE(name) unsigned short ktap_python_##name##_semaphore __attribute__((section(".probes"), used))
SEMAPHORE(call);
SEMAPHORE(call__backtrace);
SEMAPHORE(call__variables);
SEMAPHORE(call__all);
SEMAPHORE(return);
SEMAPHORE(return__backtrace);
SEMAPHORE(return__variables);
SEMAPHORE(return__all);

/* Counted by the kernel while this runs. */
#define LISTENED(name) (*(volatile unsigned short *)&ktap_python_##name##_semaphore != 0)
#define DEMAND(name) (LISTENED(name) * PLAIN | LISTENED(name##__backtrace) * BACKTRACE | \
		      LISTENED(name##__variables) * VARIABLES | LISTENED(name##__all) * ALL)

/* The register of a function's first argument: handlers get the event's address by pointer_arg(1). */
#if defined(__x86_64__)
#define ARGUMENT_REGISTER "rdi"
#elif defined(__aarch64__)
#define ARGUMENT_REGISTER "x0"
#else
#error "the register of a function's first argument is unknown on this architecture"
#endif

#define FIRE(name, e)                                                                  \
	do {                                                                           \
		register const struct event *at __asm__(ARGUMENT_REGISTER) = (e);      \
		STAP_PROBE1(ktap_python, name, at);                                    \
		STAP_PROBE1(ktap_python, name##__backtrace, at);                       \
		STAP_PROBE1(ktap_python, name##__variables, at);                       \
		STAP_PROBE1(ktap_python, name##__all, at);                             \
	} while (0)

static __attribute__((noinline)) void fire_call(const struct event *e)
{
	FIRE(call, e);
}

static __attribute__((noinline)) void fire_return(const struct event *e)
{
	FIRE(return, e);
}

/* ---- state ---- */
static struct {
	char *patterns;       /* NULL: all functions are wanted. Each ends with a NUL, the last with two */
	PyObject *program;    /* the module name of the program, for what is in __main__ */
	PyObject *folder;     /* of this package, with its slash: its frames are not the program's */
	PyObject *dunder_name; /* "__name__" */
	Py_ssize_t extra;     /* index of our data on code objects */
} state;

/* ---- texts of one event ---- */
/* Of each thread: a look at local variables may let an object go, whose finaliser gives the interpreter's lock away. */
static __thread struct {
	char text[TEXT_MAX];
	size_t used, limit;
	bool cut;             /* something found no room since put_start() */
	const char *frames[FRAMES_MAX];
	struct variable variables[VARIABLES_MAX];
} room;

/* What finds no room is left out; a character is not divided. */
static void put(const char *s)
{
	size_t n = strlen(s);

	if (n > room.limit - room.used) {
		room.cut = true;
		n = room.limit - room.used;
		while (n && ((unsigned char)s[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(room.text + room.used, s, n);
	room.used += n;
}

/* Makes room for what is put until put_end(): WANTED bytes, if there are as many. Returns where it begins. */
static size_t put_start(size_t wanted)
{
	room.limit = TEXT_MAX - 1 - room.used < wanted ? TEXT_MAX - 1 : room.used + wanted;
	room.cut = false;
	return room.used;
}

/* Ends the text that began at START. */
static const char *put_end(size_t start)
{
	room.text[room.used] = 0;
	if (room.used < TEXT_MAX - 1)
		room.used++;
	return room.text + start;
}

static const char *utf8(PyObject *s)
{
	const char *text = s && PyUnicode_Check(s) ? PyUnicode_AsUTF8(s) : NULL;

	if (!text)
		PyErr_Clear(); /* a lone surrogate */
	return text ? text : "?";
}

/* ---- values ---- */
static void put_value(PyObject *v, int depth);

/* repr() of what has no code of the program in it. */
static void put_repr(PyObject *v)
{
	PyObject *repr = PyObject_Repr(v);

	put(repr ? utf8(repr) : "?");
	PyErr_Clear(); /* a number of too many digits */
	Py_XDECREF(repr);
}

static void put_head_of(PyObject *v, Py_ssize_t length)
{
	PyObject *head;

	if (length <= VALUE_MAX / 4) {
		put_repr(v);
		return;
	}
	head = PySequence_GetSlice(v, 0, VALUE_MAX / 4);
	if (head)
		put_repr(head);
	put("...");
	Py_XDECREF(head);
}

/* What stands before item I of several. False: it is one too many, and no more follow. */
static bool begin_item(Py_ssize_t i)
{
	if (i)
		put(", ");
	if (i < ITEMS_MAX)
		return true;
	put("...");
	return false;
}

static void put_items(PyObject *v, Py_ssize_t length, PyObject *(*item)(PyObject *, Py_ssize_t), int depth)
{
	for (Py_ssize_t i = 0; i < length && !room.cut && begin_item(i); i++)
		put_value(item(v, i), depth + 1);
}

static PyObject *list_item(PyObject *v, Py_ssize_t i)
{
	return PyList_GET_ITEM(v, i);
}

static PyObject *tuple_item(PyObject *v, Py_ssize_t i)
{
	return PyTuple_GET_ITEM(v, i);
}

static void put_set(PyObject *v, int depth)
{
	const bool frozen = PyFrozenSet_CheckExact(v), empty = !PySet_GET_SIZE(v);
	PyObject *keys = PyObject_GetIter(v), *key = NULL; /* V is exactly a set: its iterator runs no code of the program */

	/* `{}` is a dictionary: an empty set has its name instead of braces. */
	put(empty ? (frozen ? "frozenset(" : "set(") : frozen ? "frozenset({" : "{");
	for (Py_ssize_t i = 0; keys && !room.cut && (key = PyIter_Next(keys)) && begin_item(i); i++) {
		put_value(key, depth + 1);
		Py_CLEAR(key);
	}
	put(empty ? ")" : frozen ? "})" : "}");
	Py_XDECREF(key);
	Py_XDECREF(keys);
	PyErr_Clear(); /* out of memory */
}

static void put_dict(PyObject *v, int depth)
{
	PyObject *key, *value;
	Py_ssize_t at = 0;

	put("{");
	for (Py_ssize_t i = 0; !room.cut && PyDict_Next(v, &at, &key, &value) && begin_item(i); i++) {
		put_value(key, depth + 1);
		put(": ");
		put_value(value, depth + 1);
	}
	put("}");
}

/* As repr() writes it, cut where it is long. Objects of the program are named, never asked: that would run its code. */
static void put_value(PyObject *v, int depth)
{
	char address[NUMBER_MAX];

	if (!v) {
		put("?");
	} else if (v == Py_None || v == Py_True || v == Py_False || v == Py_Ellipsis || PyFloat_CheckExact(v) ||
		   PyComplex_CheckExact(v)) {
		put_repr(v);
	} else if (PyLong_CheckExact(v)) {
		/* Digits of a huge number take long. */
		if (_PyLong_NumBits(v) < VALUE_MAX * 3)
			put_repr(v);
		else
			put("<huge int>");
	} else if (PyUnicode_CheckExact(v)) {
		put_head_of(v, PyUnicode_GET_LENGTH(v));
	} else if (PyBytes_CheckExact(v)) {
		put_head_of(v, PyBytes_GET_SIZE(v));
	} else if (depth < DEPTH_MAX && PyTuple_CheckExact(v)) {
		put("(");
		put_items(v, PyTuple_GET_SIZE(v), tuple_item, depth);
		put(PyTuple_GET_SIZE(v) == 1 ? ",)" : ")");
	} else if (depth < DEPTH_MAX && PyList_CheckExact(v)) {
		put("[");
		put_items(v, PyList_GET_SIZE(v), list_item, depth);
		put("]");
	} else if (depth < DEPTH_MAX && PyDict_CheckExact(v)) {
		put_dict(v, depth);
	} else if (depth < DEPTH_MAX && (PyAnySet_CheckExact(v))) {
		put_set(v, depth);
	} else {
		snprintf(address, sizeof(address), " at %p>", (void *)v);
		put("<");
		put(Py_TYPE(v)->tp_name);
		put(" object");
		put(address);
	}
}

/* A variable's text is cut to what a string of a script holds. */
static const char *value_text(PyObject *v)
{
	size_t start = put_start(VALUE_MAX);

	put_value(v, 0);
	if (room.cut) {
		put_start(3);
		put("...");
	}
	return put_end(start);
}

/* ---- variables ---- */
static void add_variables(struct event *e, PyObject *locals, PyObject *names, Py_ssize_t n_parameters)
{
	Py_ssize_t n = names && PyTuple_Check(names) ? PyTuple_GET_SIZE(names) : 0;

	for (Py_ssize_t i = 0; i < n && e->n_variables < VARIABLES_MAX; i++) {
		PyObject *name = PyTuple_GET_ITEM(names, i);
		PyObject *value = PyObject_GetItem(locals, name);

		if (value) {
			struct variable *v = &room.variables[e->n_variables++];
			size_t start = put_start(VALUE_MAX);

			put(utf8(name));
			v->name = put_end(start);
			v->value = value_text(value);
			e->n_parameters += i < n_parameters;
			Py_DECREF(value);
		}
		PyErr_Clear(); /* not assigned yet */
	}
}

static void find_variables(struct event *e, PyFrameObject *frame, PyCodeObject *code)
{
	static const char *const kinds[] = { "co_varnames", "co_cellvars", "co_freevars" };
	PyObject *locals = PyFrame_GetLocals(frame);
	Py_ssize_t n_parameters = code->co_argcount + code->co_kwonlyargcount + !!(code->co_flags & CO_VARARGS) +
				  !!(code->co_flags & CO_VARKEYWORDS);

	for (size_t i = 0; locals && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		PyObject *names = PyObject_GetAttrString((PyObject *)code, kinds[i]);

		/* A parameter that an inner function uses is in the first two: it is told once. */
		if (names && i == 1) {
			PyObject *varnames = PyObject_GetAttrString((PyObject *)code, kinds[0]), *own = PyList_New(0);

			for (Py_ssize_t k = 0; own && varnames && k < PyTuple_GET_SIZE(names); k++)
				if (PySequence_Contains(varnames, PyTuple_GET_ITEM(names, k)) == 0)
					PyList_Append(own, PyTuple_GET_ITEM(names, k));
			Py_DECREF(names);
			names = own ? PyList_AsTuple(own) : NULL;
			Py_XDECREF(own);
			Py_XDECREF(varnames);
		}
		add_variables(e, locals, names, i == 0 ? n_parameters : 0);
		Py_XDECREF(names);
	}
	Py_XDECREF(locals);
	PyErr_Clear();
}

/* ---- backtraces ---- */
static bool is_own_file(PyObject *file)
{
	return state.folder && PyUnicode_Tailmatch(file, state.folder, 0, PY_SSIZE_T_MAX, -1) == 1;
}

static void add_frame(struct event *e, PyCodeObject *code, int line)
{
	size_t start = put_start(VALUE_MAX + NUMBER_MAX);
	char number[NUMBER_MAX];

	snprintf(number, sizeof(number), "\", line %d, in ", line);
	put("File \"");
	put(utf8(code->co_filename));
	put(number);
	put(utf8(code->co_name));
	room.frames[e->n_frames++] = put_end(start);
}

/* Up to the frames of the package that started the program. */
static void find_frames(struct event *e, PyFrameObject *frame)
{
	Py_INCREF(frame);
	while (frame && e->n_frames < FRAMES_MAX) {
		PyFrameObject *back;
		PyCodeObject *code = PyFrame_GetCode(frame);
		bool own = is_own_file(code->co_filename);

		if (!own)
			add_frame(e, code, PyFrame_GetLineNumber(frame));
		Py_DECREF(code);
		back = own ? NULL : PyFrame_GetBack(frame);
		Py_DECREF(frame);
		frame = back;
	}
	Py_XDECREF(frame);
}

/* ---- which functions ---- */
/* What is known of a function, kept with its code object. */
struct known {
	char *name, *module, *function;
	const char *file;     /* the end of name */
	bool wanted;
	bool suspends;        /* a generator or coroutine */
	long first;           /* offset of the instruction that begins it; of those that suspend */
	unsigned char *code;  /* their instructions */
	Py_ssize_t code_size;
};

static void free_known(void *p)
{
	struct known *k = p;

	if (!k)
		return;
	free(k->name);
	free(k->module);
	free(k->function);
	free(k->code);
	free(k);
}

static bool is_wanted(const char *name)
{
	for (const char *p = state.patterns; p && *p; p += strlen(p) + 1)
		if (!fnmatch(p, name, 0))
			return true;
	return !state.patterns;
}

/* "outer.<locals>.inner" as users write it: "outer.inner". */
static char *plain_name(const char *qualified)
{
	char *name = strdup(qualified), *at;

	while (name && (at = strstr(name, ".<locals>")))
		memmove(at, at + strlen(".<locals>"), strlen(at + strlen(".<locals>")) + 1);
	return name;
}

static bool starts_here(const struct known *k, long at)
{
	return at >= 0 && at + 1 < k->code_size && k->code[at] == RESUME && k->code[at + 1] == 0;
}

static bool know_instructions(struct known *k, PyCodeObject *code)
{
	PyObject *bytes = PyCode_GetCode(code);

	if (!bytes)
		return false;
	k->code_size = PyBytes_GET_SIZE(bytes);
	k->code = malloc((size_t)k->code_size + 1);
	if (k->code)
		memcpy(k->code, PyBytes_AS_STRING(bytes), (size_t)k->code_size);
	Py_DECREF(bytes);
	while (k->code && k->first < k->code_size && !starts_here(k, k->first))
		k->first += 2;
	return k->code != NULL;
}

static PyObject *module_of(PyFrameObject *frame)
{
	PyObject *globals = PyFrame_GetGlobals(frame);
	PyObject *name = PyDict_GetItemWithError(globals, state.dunder_name);

	if (name && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "__main__") == 0)
		name = state.program;
	Py_XINCREF(name);
	Py_DECREF(globals);
	return name;
}

/* NULL: no memory. */
static struct known *learn(PyFrameObject *frame, PyCodeObject *code)
{
	struct known *k = calloc(1, sizeof(*k));
	PyObject *module;

	if (!k)
		return NULL;
	module = module_of(frame);
	k->module = strdup(utf8(module));
	Py_XDECREF(module);
	k->function = plain_name(utf8(code->co_qualname));
	k->suspends = code->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR);
	if (!k->module || !k->function ||
	    asprintf(&k->name, "%s:%s@%s", k->module, k->function, utf8(code->co_filename)) < 0) {
		k->name = NULL;
		free_known(k);
		return NULL;
	}
	k->file = k->name + strlen(k->module) + 1 + strlen(k->function) + 1;
	/* The body of a class is no function; that of a module is called one by its name, <module>. */
	k->wanted = ((code->co_flags & CO_OPTIMIZED) || !strcmp(k->function, "<module>")) &&
		    !is_own_file(code->co_filename) && is_wanted(k->name);
	if (k->wanted && k->suspends && !know_instructions(k, code))
		k->wanted = false;
	return k;
}

static struct known *know(PyFrameObject *frame, PyCodeObject *code)
{
	void *extra = NULL;

	if (PyUnstable_Code_GetExtra((PyObject *)code, state.extra, &extra) < 0)
		return NULL;
	if (!extra) {
		extra = learn(frame, code);
		if (extra && PyUnstable_Code_SetExtra((PyObject *)code, state.extra, extra) < 0) {
			free_known(extra);
			extra = NULL;
		}
	}
	return extra;
}

/* ---- events ---- */
/* Not the resuming of what has begun. */
static bool begins(const struct known *k, PyFrameObject *frame)
{
	return !k->suspends || starts_here(k, PyFrame_GetLasti(frame));
}

/* Whether the instruction that ran last is a yield. Since Python 3.13 a frame says where it goes on, after the yield. */
static bool yields(const struct known *k, long at)
{
	return k->code[at] == YIELD_VALUE || (at >= 2 && k->code[at - 2] == YIELD_VALUE);
}

/* Not a yield. RESULT is NULL where an exception ends the function; it may have met a generator that never began. */
static bool ends(const struct known *k, PyFrameObject *frame, PyObject *result)
{
	long at;

	if (!k->suspends)
		return true;
	at = PyFrame_GetLasti(frame);
	if (at < 0 || at >= k->code_size)
		return false;
	return result ? !yields(k, at) : at >= k->first;
}

static void tell(const struct known *k, PyFrameObject *frame, PyCodeObject *code, bool is_return, PyObject *result, int demand)
{
	struct event e = {
		.magic = magic,
		.name = k->name,
		.module = k->module,
		.function = k->function,
		.file = k->file,
		.line = is_return ? PyFrame_GetLineNumber(frame) : code->co_firstlineno,
		.frames = room.frames,
		.variables = room.variables,
	};

	room.used = 0;
	if (demand & (BACKTRACE | ALL))
		find_frames(&e, frame);
	if (demand & (VARIABLES | ALL)) {
		if (code->co_flags & CO_OPTIMIZED)
			find_variables(&e, frame, code);
		if (result)
			e.result = value_text(result);
	}
	if (is_return)
		fire_return(&e);
	else
		fire_call(&e);
}

static int profile(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
	PyObject *type, *value, *traceback;
	PyCodeObject *code;
	struct known *k;
	int demand;

	if (what == PyTrace_CALL)
		demand = DEMAND(call);
	else if (what == PyTrace_RETURN)
		demand = DEMAND(return);
	else
		return 0;
	if (!demand)
		return 0;
	code = PyFrame_GetCode(frame);
	PyErr_Fetch(&type, &value, &traceback);
	k = know(frame, code);
	if (k && k->wanted && (what == PyTrace_CALL ? begins(k, frame) : ends(k, frame, arg)))
		tell(k, frame, code, what == PyTrace_RETURN, arg, demand);
	PyErr_Restore(type, value, traceback);
	Py_DECREF(code);
	return 0;
}

/* threading.setprofile() knows functions of Python only: this is called for the first event of a thread. */
static PyObject *thread_event(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	if (n != 3 || !PyFrame_Check(args[0]))
		Py_RETURN_NONE;
	PyEval_SetProfile(profile, NULL);
	if (PyUnicode_Check(args[1]) && PyUnicode_CompareWithASCIIString(args[1], "call") == 0)
		profile(NULL, (PyFrameObject *)args[0], PyTrace_CALL, Py_None);
	Py_RETURN_NONE;
}

/* ---- running the program ---- */
/* How the interpreter ends a program that an interrupt ended: its parent sees the signal. It does so by itself for sources. */
static void die_interrupted(void)
{
	signal(SIGINT, SIG_DFL);
	kill(getpid(), SIGINT);
}

static PyObject *run_source(PyObject *path, PyObject *names)
{
	PyObject *bytes = PyUnicode_EncodeFSDefault(path), *result;
	FILE *f = bytes ? fopen(PyBytes_AS_STRING(bytes), "rbe") : NULL;

	if (f)
		result = PyRun_FileEx(f, PyBytes_AS_STRING(bytes), Py_file_input, names, names, 1);
	else
		result = bytes ? PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path) : NULL;
	Py_XDECREF(bytes);
	return result;
}

/* run(what, path, names, program): None, the program is the source at the path, or its code; names is its namespace. Or what is
 * a function, and names its arguments. What it raises is treated as the interpreter treats it at the end of a program: it never
 * reaches a frame of Python above. */
static PyObject *run(PyObject *self, PyObject *args)
{
	PyObject *what, *path, *names, *program, *result;

	if (!PyArg_ParseTuple(args, "OUOU", &what, &path, &names, &program))
		return NULL;
	Py_INCREF(program);
	Py_XSETREF(state.program, program);
	PyEval_SetProfile(profile, NULL);
	if (what == Py_None)
		result = run_source(path, names);
	else
		result = PyCode_Check(what) ? PyEval_EvalCode(what, names, names) : PyObject_Call(what, names, NULL);
	if (result) {
		Py_DECREF(result);
		Py_RETURN_TRUE;
	}
	if (what != Py_None && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
		Py_AtExit(die_interrupted);
	PyErr_Print(); /* SystemExit ends the process here */
	Py_RETURN_FALSE;
}

/* ---- the module ---- */
static void read_patterns(void)
{
	const char *text = getenv("KTAP_PYTHON");
	char *copy;

	if (!text || !*text)
		return;
	copy = calloc(1, strlen(text) + 2);
	if (!copy)
		return;
	for (size_t i = 0; text[i]; i++)
		copy[i] = text[i] == '\n' ? 0 : text[i];
	state.patterns = copy;
}

static PyObject *start(PyObject *self, PyObject *folder)
{
	if (!PyUnicode_Check(folder))
		return PyErr_Format(PyExc_TypeError, "a path expected");
	Py_INCREF(folder);
	Py_XSETREF(state.folder, folder);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{ "run", run, METH_VARARGS, "Runs a program with its functions told of." },
	{ "start", start, METH_O, "Says where the package is." },
	{ "thread_event", (PyCFunction)(void (*)(void))thread_event, METH_FASTCALL, "For threading.setprofile()." },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "_ktap",
	.m_doc = "Marks for tracers of Python programs.",
	.m_size = -1,
	.m_methods = methods,
};

PyMODINIT_FUNC PyInit__ktap(void);
PyMODINIT_FUNC PyInit__ktap(void)
{
	state.dunder_name = PyUnicode_InternFromString("__name__");
	state.extra = PyUnstable_Eval_RequestCodeExtraIndex(free_known);
	if (!state.dunder_name || state.extra < 0)
		return NULL;
	read_patterns();
	return PyModule_Create(&definition);
}
