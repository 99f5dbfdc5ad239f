/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages in, messages out: JSON-RPC with a header of Content-Length. The server keeps the texts of open documents; what is asked
 * about them is answered by a child each, with a time limit. Diagnostics are made when no more input waits, so that typing is not
 * held up by checking what is out of date. */
#include "cli/edit/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/edit/ask.h"
#include "cli/edit/child.h"
#include "config.h"
#include "lib/text.h"

enum {
	MESSAGE_MAX = 64 << 20,
	HEADER_MAX = 64 << 10,
	DEPTH_JSON = 64,
	/* Errors of JSON-RPC and LSP */
	PARSE_ERROR = -32700, INVALID_REQUEST = -32600, METHOD_NOT_FOUND = -32601, INVALID_PARAMS = -32602, INTERNAL_ERROR = -32603,
	NOT_INITIALIZED = -32002,
};

struct document {
	char *uri, *text;
	bool dirty; /* its diagnostics are older than its text */
	struct document *next;
};

struct server {
	const struct program *settings; /* nothing else of it is set */
	struct document *documents;
	struct text input; /* read, not yet a message */
	bool initialized, shut_down, ended;
};

/* ---- output ---- */

static void write_message(const char *body, size_t len)
{
	_cleanup_text_ struct text t = { 0 };
	size_t done = 0;

	text_printf(&t, "Content-Length: %zu\r\n\r\n", len);
	text_append(&t, body, len);
	while (done < t.len) {
		ssize_t n = write(STDOUT_FILENO, text_str(&t) + done, t.len - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
}

static void write_object(struct json_object *o)
{
	const char *body = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	write_message(body, strlen(body));
	json_object_put(o);
}

static struct json_object *response(struct json_object *id)
{
	struct json_object *o = ask_strings("jsonrpc", "2.0");

	json_object_object_add(o, "id", json_object_get(id));
	return o;
}

static void reply(struct json_object *id, struct json_object *result)
{
	struct json_object *o = response(id);

	json_object_object_add(o, "result", result);
	write_object(o);
}

static void reply_error(struct json_object *id, int code, const char *message)
{
	struct json_object *o = response(id), *e = ask_strings("message", message);

	json_object_object_add(e, "code", json_object_new_int(code));
	json_object_object_add(o, "error", e);
	write_object(o);
}

/* ---- answers ---- */

/* A request about a document. */
struct question {
	const struct server *server;
	const struct document *document;
	ask_fn *fn;
	struct json_object *params;
};

/* In the child. */
static void answer(void *question, FILE *out)
{
	const struct question *q = question;
	struct json_object *result;
	struct ask a;

	ask_init(&a, q->server->settings, q->document->uri, q->document->text, q->params);
	result = q->fn(&a);
	fputs(result ? json_object_to_json_string_ext(result, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE) : "null", out);
}

/* Returns what FN answers of D, made by a child; *OK is false if it failed or took too long. */
static struct json_object *ask_child(const struct server *s, ask_fn *fn, const struct document *d, struct json_object *params, bool *ok)
{
	struct question q = { s, d, fn, params };
	_cleanup_text_ struct text t = { 0 };

	*ok = child_ask(answer, &q, true, CHILD_ANSWER_MS, &t);
	return *ok ? json_tokener_parse(text_str(&t)) : NULL;
}

/* ---- documents ---- */

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	return o && json_object_is_type(o, json_type_object) && json_object_object_get_ex(o, key, &v) ? v : NULL;
}

static const char *string_of(struct json_object *o, const char *key)
{
	struct json_object *v = member(o, key);

	return v && json_object_is_type(v, json_type_string) ? json_object_get_string(v) : NULL;
}

static const char *uri_of(struct json_object *params)
{
	return string_of(member(params, "textDocument"), "uri");
}

static struct document *find(struct server *s, const char *uri)
{
	struct document *d = s->documents;

	while (d && (!uri || strcmp(d->uri, uri)))
		d = d->next;
	return d;
}

static void set_text(struct server *s, const char *uri, const char *text)
{
	struct document *d = find(s, uri);

	if (!d) {
		d = xmalloc(sizeof(*d));
		*d = (struct document){ .uri = xstrdup(uri), .next = s->documents };
		s->documents = d;
	}
	free(d->text);
	d->text = xstrdup(text);
	d->dirty = true;
}

static void publish(const struct document *d, struct json_object *diagnostics)
{
	struct json_object *o = ask_strings("jsonrpc", "2.0"), *params = ask_strings("uri", d->uri);

	json_object_object_add(params, "diagnostics", diagnostics);
	json_object_object_add(o, "method", json_object_new_string("textDocument/publishDiagnostics"));
	json_object_object_add(o, "params", params);
	write_object(o);
}

static void publish_dirty(struct server *s)
{
	for (struct document *d = s->documents; d; d = d->next) {
		struct json_object *found;
		bool ok;

		if (!d->dirty)
			continue;
		d->dirty = false;
		found = ask_child(s, ask_find("diagnostics"), d, NULL, &ok);
		publish(d, found ? found : json_object_new_array());
	}
}

static void free_document(struct document *d)
{
	free(d->uri);
	free(d->text);
	free(d);
}

static void close_document(struct server *s, const char *uri)
{
	for (struct document **at = &s->documents; *at; at = &(*at)->next) {
		struct document *d = *at;

		if (strcmp(d->uri, uri))
			continue;
		publish(d, json_object_new_array());
		*at = d->next;
		free_document(d);
		return;
	}
}

/* ---- methods ---- */

static void open_document(struct server *s, struct json_object *params)
{
	const char *text = string_of(member(params, "textDocument"), "text");

	if (uri_of(params) && text)
		set_text(s, uri_of(params), text);
}

/* Each change holds the whole text, as the capabilities say: the last one counts. */
static void change_document(struct server *s, struct json_object *params)
{
	struct json_object *changes = member(params, "contentChanges");
	size_t n = changes && json_object_is_type(changes, json_type_array) ? json_object_array_length(changes) : 0;
	const char *text = n ? string_of(json_object_array_get_idx(changes, n - 1), "text") : NULL;

	if (uri_of(params) && text)
		set_text(s, uri_of(params), text);
}

static void initialize(struct server *s, struct json_object *id)
{
	static const char *const providers[] = { "hoverProvider", "definitionProvider", "referencesProvider", "renameProvider",
						 "documentFormattingProvider", "documentSymbolProvider", NULL };
	struct json_object *result = json_object_new_object(), *can = json_object_new_object();
	struct json_object *completion = json_object_new_object(), *triggers = json_object_new_array();
	struct json_object *info = ask_strings("name", "ktap");

	for (const char *const *p = providers; *p; p++)
		json_object_object_add(can, *p, json_object_new_boolean(true));
	for (const char *c = ".($@\""; *c; c++)
		json_object_array_add(triggers, json_object_new_string_len(c, 1));
	json_object_object_add(completion, "triggerCharacters", triggers);
	json_object_object_add(can, "completionProvider", completion);
	json_object_object_add(can, "textDocumentSync", json_object_new_int(1));
	json_object_object_add(can, "positionEncoding", json_object_new_string("utf-16"));
	json_object_object_add(info, "version", json_object_new_string(PACKAGE_VERSION));
	json_object_object_add(result, "capabilities", can);
	json_object_object_add(result, "serverInfo", info);
	s->initialized = true;
	reply(id, result);
}

static void notify(struct server *s, const char *method, struct json_object *params)
{
	if (!strcmp(method, "exit"))
		s->ended = true;
	else if (!s->initialized)
		return;
	else if (!strcmp(method, "textDocument/didOpen"))
		open_document(s, params);
	else if (!strcmp(method, "textDocument/didChange"))
		change_document(s, params);
	else if (!strcmp(method, "textDocument/didClose") && uri_of(params))
		close_document(s, uri_of(params));
}

static void request(struct server *s, struct json_object *id, const char *method, struct json_object *params)
{
	ask_fn *fn = ask_find(method);
	const struct document *d = find(s, uri_of(params));
	struct json_object *result;
	bool ok;

	if (!strcmp(method, "initialize"))
		initialize(s, id);
	else if (!s->initialized)
		reply_error(id, NOT_INITIALIZED, "the first request is initialize");
	else if (s->shut_down)
		reply_error(id, INVALID_REQUEST, "the server was shut down");
	else if (!strcmp(method, "shutdown")) {
		s->shut_down = true;
		reply(id, NULL);
	} else if (!fn)
		reply_error(id, METHOD_NOT_FOUND, "no such method");
	else if (!d)
		reply_error(id, INVALID_PARAMS, "no such document is open");
	else {
		result = ask_child(s, fn, d, params, &ok);
		if (ok)
			reply(id, result);
		else
			reply_error(id, INTERNAL_ERROR, "the answer failed or took too long");
	}
}

static void handle(struct server *s, const char *body, size_t len)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_JSON);
	struct json_object *message = json_tokener_parse_ex(tokener, body, (int)len);
	const char *method = string_of(message, "method");
	struct json_object *id = member(message, "id");

	if (json_tokener_get_error(tokener) != json_tokener_success)
		reply_error(NULL, PARSE_ERROR, "the message is not JSON");
	else if (!method && !member(message, "result") && !member(message, "error"))
		reply_error(id, INVALID_REQUEST, "the message has no method");
	else if (method && id)
		request(s, id, method, member(message, "params"));
	else if (method)
		notify(s, method, member(message, "params"));
	json_tokener_free(tokener);
	json_object_put(message);
}

/* ---- input ---- */

static void drop(struct text *t, size_t len)
{
	memmove(t->buf, t->buf + len, t->len - len + 1);
	t->len -= len;
}

/* The value of Content-Length in the N bytes of a header, -1: it has none that can be. */
static long content_length(const char *header, size_t n)
{
	for (const char *line = header; line < header + n; line += strcspn(line, "\n") + 1) {
		char *end;
		long v;

		if (strncasecmp(line, "Content-Length:", 15))
			continue;
		v = strtol(line + 15, &end, 10);
		return end > line + 15 && v >= 0 && v <= MESSAGE_MAX ? v : -1;
	}
	return -1;
}

/* Handles the first message of the input. False: it is not complete. A header that does not end ends the server. */
static bool take_message(struct server *s)
{
	size_t searched = s->input.len < HEADER_MAX ? s->input.len : HEADER_MAX;
	const char *start = text_str(&s->input), *blank = memmem(start, searched, "\r\n\r\n", 4);
	size_t header = blank ? (size_t)(blank - start) + 4 : 0;
	long len;

	if (!blank) {
		s->ended = searched == HEADER_MAX;
		if (s->ended)
			reply_error(NULL, PARSE_ERROR, "the header does not end");
		return s->ended;
	}
	len = content_length(start, header);
	if (len < 0) {
		reply_error(NULL, PARSE_ERROR, "the header has no usable Content-Length");
		drop(&s->input, header);
		return true;
	}
	if (s->input.len < header + (size_t)len)
		return false;
	handle(s, start + header, (size_t)len);
	drop(&s->input, header + (size_t)len);
	return true;
}

/* Reads what comes. False: the end. */
static bool read_input(struct server *s)
{
	char chunk[65536];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof(chunk));

	if (n > 0)
		text_append(&s->input, chunk, (size_t)n);
	return n > 0 || (n < 0 && errno == EINTR);
}

static bool input_waits(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

int server_run(const struct program *p)
{
	struct server s = { .settings = p };

	diag_forget(NULL); /* without a kernel there are the language and the libraries */
	signal(SIGPIPE, SIG_IGN);
	while (!s.ended) {
		if (take_message(&s))
			continue;
		if (!input_waits())
			publish_dirty(&s);
		if (!read_input(&s))
			break;
	}
	while (s.documents) {
		struct document *d = s.documents;

		s.documents = d->next;
		free_document(d);
	}
	text_deinit(&s.input);
	return s.shut_down ? 0 : 1;
}
