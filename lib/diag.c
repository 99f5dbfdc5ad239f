/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints diagnostics and counts them; finds the nearest name for a suggestion. */
#include "lib/diag.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/status.h"
#include "lib/text.h"

/* What stands in brackets. */
static const char *const tags[] = {
#define DIAG(tag, text, summary) [DIAG_##tag] = text,
#include "lib/diags.def"
#undef DIAG
};

/* The reports of places without a source, by which lib/ and every main() report. */
static struct reports process;

struct reports *diag_process(void)
{
	return &process;
}

struct reports diag_like(const struct reports *r)
{
	struct reports ret = {
		.no_warnings = r->no_warnings, .warnings_are_errors = r->warnings_are_errors, .keeps_catalog = r->keeps_catalog,
		.color = r->color, .take = r->take, .of = r->of,
	};

	memcpy(ret.colors, r->colors, sizeof(ret.colors));
	return ret;
}

int diag_errors(const struct reports *r)
{
	r = r ? r : &process;
	return r->trial ? r->trial->errors : r->errors;
}

struct loc diag_nowhere(struct reports *r)
{
	if (!r)
		return (struct loc){ 0 };
	r->nowhere.reports = r;
	return (struct loc){ .src = &r->nowhere };
}

struct reports *diag_reports(struct loc loc)
{
	return loc.src && loc.src->reports ? loc.src->reports : &process;
}

/* Is LOC in a text? */
static bool has_text(struct loc loc)
{
	return loc.src && loc.src->name;
}

void diag_ignore(void *of, const struct diag *d)
{
}

/* ---- colours ---- */
/* The default SGR parameters; none: as it comes. No message shows a token alone. */
static const struct {
	const char *key;
	const char *sgr;
} colors[PART_COUNT] = {
	[PART_ERROR] = { "error", "1;31" },   [PART_WARNING] = { "warning", "1;35" },
	[PART_NOTE] = { "note", "1;36" },     [PART_SOURCE] = { "source", "" },
	[PART_CARET] = { "caret", "1;32" },   [PART_TOKEN] = { "token", "" },
};

bool diag_set_colors(struct reports *r, const char *s)
{
	do {
		size_t key = strcspn(s, "="), len;
		int i = 0;

		while (i < PART_COUNT && (strlen(colors[i].key) != key || strncmp(colors[i].key, s, key)))
			i++;
		if (i == PART_COUNT || !s[key])
			return false;
		s += key + 1;
		len = strspn(s, "0123456789;");
		if (!len || len > 32 || (s[len] && s[len] != ':'))
			return false;
		r->colors[i].sgr = s;
		r->colors[i].len = (int)len;
		s += len;
	} while (*s++);
	return true;
}

static bool is_colored(const struct reports *r, enum diag_part c)
{
	return r->color && (r->colors[c].sgr || *colors[c].sgr);
}

static void start_color(const struct reports *r, enum diag_part c)
{
	if (!is_colored(r, c))
		return;
	if (r->colors[c].sgr)
		fprintf(stderr, "\033[%.*sm", r->colors[c].len, r->colors[c].sgr);
	else
		fprintf(stderr, "\033[%sm", colors[c].sgr);
}

static void end_color(const struct reports *r, enum diag_part c)
{
	if (is_colored(r, c))
		fputs("\033[0m", stderr);
}

/* ---- what is printed ---- */
/* Returns the start of line LINE in the text of SRC; NULL: there is no such line. Reports mostly come in the order of the script: the
 * search goes on from LAST where it can. */
static const char *line_start(const struct source *src, int line, struct line_shown *last, size_t *ret_len)
{
	const char *s = src->text, *end = src->text + src->len, *nl;
	int from = 1;

	/* Another source may be where one was freed. */
	if (last->src == src && last->line <= line && last->start >= s && last->start <= end) {
		s = last->start;
		from = last->line;
	}
	for (int i = from; i < line; i++) {
		s = memchr(s, '\n', (size_t)(end - s));
		if (!s)
			return NULL;
		s++;
	}
	*last = (struct line_shown){ src, s, line };
	nl = memchr(s, '\n', (size_t)(end - s));
	*ret_len = (size_t)((nl ? nl : end) - s);
	return s;
}

enum { LINE_SHOWN = 200 };

/* Control bytes of a script must not reach the terminal. */
static int safe(char byte)
{
	unsigned char ch = (unsigned char)byte;

	return ch == '\t' || (ch >= 32 && ch != 127) ? ch : '?';
}

static void put_safely(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		fputc(safe(s[i]), stderr);
}

char *diag_line(struct loc loc)
{
	size_t len = 0;
	const char *s = loc.src->tapset ? NULL : line_start(loc.src, loc.line, &diag_reports(loc)->line, &len);
	char *ret;

	if (!s || loc.col < 1 || loc.col > LINE_SHOWN)
		len = 0;
	ret = xasprintf("%.*s", (int)(len > LINE_SHOWN ? LINE_SHOWN : len), s ? s : "");
	for (char *c = ret; *c; c++)
		*c = (char)safe(*c);
	return ret;
}

static void show_source(struct reports *r, struct loc loc)
{
	size_t len;
	const char *s = has_text(loc) ? line_start(loc.src, loc.line, &r->line, &len) : NULL;

	if (!s || loc.col < 1 || loc.col > LINE_SHOWN)
		return;
	fprintf(stderr, "%5d | ", loc.line);
	start_color(r, PART_SOURCE);
	put_safely(s, len > LINE_SHOWN ? LINE_SHOWN : len);
	end_color(r, PART_SOURCE);
	fputs("\n      | ", stderr);
	for (int i = 1; i < loc.col; i++)
		fputc((size_t)i <= len && s[i - 1] == '\t' ? '\t' : ' ', stderr);
	start_color(r, PART_CARET);
	fputc('^', stderr);
	end_color(r, PART_CARET);
	fputc('\n', stderr);
}

/* Prints it without control characters: names in it may come from files of other users. */
static void put_message(const char *message)
{
	struct text clean = { 0 };

	text_put_clean(&clean, message, strlen(message));
	fputs(text_str(&clean), stderr);
	text_deinit(&clean);
}

static void report(struct reports *r, struct loc loc, enum diag_part kind, const char *tag, const char *message)
{
	if (r->take) {
		r->take(r->of, &(struct diag){ colors[kind].key, tag, message, has_text(loc) ? loc : (struct loc){ 0 } });
		return;
	}
	status_clear();
	if (has_text(loc))
		fprintf(stderr, "%s:%d:%d: ", loc.src->name, loc.line, loc.col);
	else
		fputs("ktap: ", stderr);
	start_color(r, kind);
	fprintf(stderr, "%s:", colors[kind].key);
	end_color(r, kind);
	fputc(' ', stderr);
	put_message(message);
	if (tag)
		fprintf(stderr, " [%s]", tag);
	fputc('\n', stderr);
	if (tag || loc.src != r->shown.src || loc.line != r->shown.line || loc.col != r->shown.col)
		show_source(r, loc);
	r->shown = loc;
}

/* ---- the catalog of --semantic-keep-going ---- */
enum { CATALOG_MESSAGE_MAX = 511 };

struct catalog_row {
	struct loc loc;
	const char *message;
	struct catalog_row *next;
};

static void add_to_catalog(struct reports *r, struct loc loc, const char *message)
{
	struct catalog_row *row = arena_new(&r->memory, struct catalog_row);

	*row = (struct catalog_row){ loc, arena_strndup(&r->memory, message, strnlen(message, CATALOG_MESSAGE_MAX)), NULL };
	if (r->catalog_last)
		r->catalog_last->next = row;
	else
		r->catalog_first = row;
	r->catalog_last = row;
	r->n_catalog++;
}

/* Prints the name, the string or the character at LOC. */
static void put_token(struct loc loc)
{
	static const char of_names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$@";
	struct line_shown line = { 0 };
	size_t len = 0, size;
	const char *s = has_text(loc) ? line_start(loc.src, loc.line, &line, &len) : NULL;

	if (!s || loc.col < 1 || (size_t)loc.col > len) {
		putc('-', stderr);
		return;
	}
	s += loc.col - 1;
	len -= (size_t)loc.col - 1;
	size = strspn(s, of_names);
	if (*s == '"')
		size = 2 + strcspn(s + 1, "\"\n");
	put_safely(s, size > len ? len : size ? size : 1);
}

void diag_print_catalog(const struct reports *r)
{
	r = r ? r : &process;
	if (!r->keeps_catalog)
		return;
	fprintf(stderr, "SEMANTIC_ERRORS: %d\n", r->n_catalog);
	for (const struct catalog_row *row = r->catalog_first; row; row = row->next) {
		const char *name = has_text(row->loc) ? row->loc.src->name : "-";

		fprintf(stderr, "SEMANTIC_ERROR\t%s\t%d\t%d\t", name, row->loc.line, row->loc.col);
		put_token(row->loc);
		putc('\t', stderr);
		for (const char *c = row->message; *c; c++)
			putc(*c == '\t' || *c == '\n' ? ' ' : safe(*c), stderr);
		putc('\n', stderr);
	}
	fputs("SEMANTIC_ERRORS_END\n", stderr);
}

/* ---- repetitions ---- */
/* A report at a place of the source. Each place that a probe matches can cause it again. */
struct told {
	struct loc loc;
	enum diag_tag tag;
	const char *fmt; /* the address stands for the kind of message */
	int again;       /* reports after the first */
	struct told *next;
};

static bool is_same(const struct told *t, struct loc loc, enum diag_tag tag, const char *fmt)
{
	return t->loc.src == loc.src && t->loc.line == loc.line && t->loc.col == loc.col && t->tag == tag && t->fmt == fmt;
}

/* Counts a report; true if it repeats an earlier one. Reports without a place differ. */
static bool is_repeated(struct reports *r, struct loc loc, enum diag_tag tag, const char *fmt)
{
	struct told *t;

	if (!has_text(loc))
		return false;
	for (t = r->told_first; t; t = t->next)
		if (is_same(t, loc, tag, fmt))
			return ++t->again;
	t = arena_new(&r->memory, struct told);
	*t = (struct told){ loc, tag, fmt, 0, NULL };
	if (r->told_last)
		r->told_last->next = t;
	else
		r->told_first = t;
	r->told_last = t;
	return false;
}

void diag_end_pass(struct reports *r)
{
	r = r ? r : &process;
	r->quiet = false;
	for (struct told *t = r->told_first; t; t = t->next) {
		r->shown = t->loc;
		if (t->again)
			note(t->loc, "and at %d other place%s", t->again, t->again == 1 ? "" : "s");
		t->again = 0;
	}
}

void diag_forget(struct reports *r)
{
	r = r ? r : &process;
	arena_deinit(&r->memory);
	r->told_first = r->told_last = NULL;
	r->catalog_first = r->catalog_last = NULL;
	r->n_catalog = r->errors = 0;
	r->shown = (struct loc){ 0 };
	r->line = (struct line_shown){ 0 };
}

/* ---- the way through trials ---- */
enum kind { KIND_ERROR, KIND_DEMOTED, KIND_WARNING, KIND_NOTE };

/* An error or warning. */
struct message {
	struct loc loc;
	enum kind kind;
	enum diag_tag tag;
	const char *fmt; /* stands for the kind of message */
	char *text;      /* NULL: not written yet */
	bool uncounted;  /* a trial that demotes counted it as its own error */
};

/* A message or a note that a trial holds. */
struct held {
	struct message message;
	struct held *next;
};

static void hold(struct trial *t, struct message m)
{
	struct held *h = xmalloc(sizeof(*h));

	*h = (struct held){ m, NULL };
	if (t->last)
		t->last->next = h;
	else
		t->first = h;
	t->last = h;
}

/* Passes M on from the trial T outwards. Returns the trial that takes it; NULL: it is reported. */
static struct trial *pass(const struct reports *r, struct trial *t, struct message *m)
{
	for (; t; t = t->around) {
		if (m->kind == KIND_ERROR)
			t->errors++;
		if (t->kind != TRIAL_DEMOTES)
			return t;
		if (m->kind == KIND_ERROR) {
			m->kind = KIND_DEMOTED;
		} else if (m->kind == KIND_WARNING && r->warnings_are_errors && !r->no_warnings) {
			t->errors += !m->uncounted;
			m->uncounted = true;
		}
	}
	return NULL;
}

static bool drops(const struct trial *t)
{
	for (; t; t = t->around)
		if (t->kind == TRIAL_DROPS)
			return true;
	return false;
}

/* Counts and prints M, which is in no trial. */
static void report_message(struct reports *r, const struct message *m)
{
	bool demoted = m->kind == KIND_DEMOTED, fails = m->kind == KIND_WARNING && r->warnings_are_errors;

	r->reported++;
	if (m->kind == KIND_ERROR) {
		r->errors++;
		if (r->keeps_catalog)
			add_to_catalog(r, m->loc, m->text);
	}
	r->quiet = (m->kind != KIND_ERROR && r->no_warnings) || is_repeated(r, m->loc, m->tag, m->fmt);
	if (r->quiet)
		return;
	r->errors += fails && !m->uncounted;
	report(r, m->loc, demoted || (m->kind == KIND_WARNING && !fails) ? PART_WARNING : PART_ERROR, tags[m->tag], m->text);
}

/* Takes M out of the trial T. ARGUMENTS of M.fmt, where its text is not written yet. False: it was dropped. */
static bool send(struct reports *r, struct trial *t, struct message m, va_list *arguments)
{
	t = pass(r, t, &m);
	if (t && (t->kind == TRIAL_DROPS || m.kind == KIND_ERROR)) {
		t->quiet = true;
		free(m.text);
		return false;
	}
	if (!m.text)
		m.text = xvasprintf(m.fmt, *arguments);
	if (t) {
		t->quiet = false;
		hold(t, m);
		return !drops(t);
	}
	report_message(r, &m);
	free(m.text);
	return true;
}

/* Returns whether a note from the trial T is read; *RET: by the trial that holds it, NULL: by the user. */
static bool note_goes(const struct reports *r, struct trial *t, struct trial **ret)
{
	while (t && t->kind == TRIAL_DEMOTES)
		t = t->around;
	*ret = t;
	return t ? t->kind == TRIAL_HOLDS && !t->quiet : !r->quiet;
}

static void send_note(struct reports *r, struct trial *t, struct loc loc, char *text)
{
	if (!note_goes(r, t, &t)) {
		free(text);
	} else if (t) {
		hold(t, (struct message){ .loc = loc, .kind = KIND_NOTE, .text = text });
	} else {
		report(r, loc, PART_NOTE, NULL, text);
		free(text);
	}
}

void trial_begin(struct reports *r, struct trial *t, enum trial_kind kind)
{
	r = r ? r : &process;
	*t = (struct trial){ .reports = r, .around = r->trial, .kind = kind, .quiet = true };
	r->trial = t;
}

static void end(struct trial *t, bool hand_on)
{
	struct reports *r = t->reports;

	if (!r)
		return;
	if (r->trial != t)
		bug("a trial ends before one in it");
	r->trial = t->around;
	for (struct held *h = t->first, *next; h; h = next) {
		next = h->next;
		if (!hand_on)
			free(h->message.text);
		else if (h->message.kind == KIND_NOTE)
			send_note(r, t->around, h->message.loc, h->message.text);
		else
			send(r, t->around, h->message, NULL);
		free(h);
	}
	t->reports = NULL;
	t->first = t->last = NULL;
}

void trial_end(struct trial *t)
{
	end(t, false);
}

void trial_hand_on(struct trial *t)
{
	end(t, true);
}

struct trial *trial_switch(struct reports *r, struct trial *t)
{
	struct trial *before;

	r = r ? r : &process;
	before = r->trial;
	r->trial = t;
	return before;
}

bool error(struct loc loc, enum diag_tag tag, const char *fmt, ...)
{
	struct reports *r = diag_reports(loc);
	va_list ap;

	va_start(ap, fmt);
	send(r, r->trial, (struct message){ .loc = loc, .kind = KIND_ERROR, .tag = tag, .fmt = fmt }, &ap);
	va_end(ap);
	return false;
}

bool warning(struct loc loc, enum diag_tag tag, const char *fmt, ...)
{
	struct reports *r = diag_reports(loc);
	bool taken;
	va_list ap;

	va_start(ap, fmt);
	taken = send(r, r->trial, (struct message){ .loc = loc, .kind = KIND_WARNING, .tag = tag, .fmt = fmt }, &ap);
	va_end(ap);
	return taken;
}

bool note_is_wanted(struct loc loc)
{
	const struct reports *r = diag_reports(loc);
	struct trial *by;

	return note_goes(r, r->trial, &by);
}

void note(struct loc loc, const char *fmt, ...)
{
	struct reports *r = diag_reports(loc);
	va_list ap;

	if (!note_is_wanted(loc))
		return;
	va_start(ap, fmt);
	send_note(r, r->trial, loc, xvasprintf(fmt, ap));
	va_end(ap);
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "ktap: internal error at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nktap: this is a defect of ktap: please report it with the script\n", stderr);
	abort();
}

enum { WORD_MAX_LEN = 128 };

/* Optimal string alignment distance: insert, delete, replace, swap of neighbours. */
static int edit_distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	int rows[3][WORD_MAX_LEN + 1];
	int *before = rows[0], *prev = rows[1], *cur = rows[2];

	if (n > WORD_MAX_LEN || m > WORD_MAX_LEN)
		return WORD_MAX_LEN;
	for (size_t j = 0; j <= m; j++)
		prev[j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		int *t = before;

		cur[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int d = prev[j - 1] + (a[i - 1] != b[j - 1]);

			if (prev[j] + 1 < d)
				d = prev[j] + 1;
			if (cur[j - 1] + 1 < d)
				d = cur[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < d)
				d = before[j - 2] + 1;
			cur[j] = d;
		}
		before = prev;
		prev = cur;
		cur = t;
	}
	return prev[m];
}

/* Where the word of N letters at WORD stands in S as a word; NULL: nowhere. */
static const char *find_word(const char *s, const char *word, size_t n)
{
	for (s += strspn(s, "_"); *s; s += strcspn(s, "_"), s += strspn(s, "_"))
		if (strcspn(s, "_") == n && !strncmp(s, word, n))
			return s;
	return NULL;
}

enum { WORD_MIN = 3, MORE_MAX = 8 };

/* How many letters CANDIDATE has besides the words of WORD, which are all in it, in their order; 0: they are not. */
static int letters_more(const char *word, const char *candidate)
{
	size_t n, letters = 0, all = 0;

	for (const char *s = candidate; *s; s++)
		all += *s != '_';
	for (word += strspn(word, "_"); *word; word += n, word += strspn(word, "_"), candidate += n) {
		n = strcspn(word, "_");
		candidate = find_word(candidate, word, n);
		if (!candidate)
			return 0;
		letters += n;
	}
	if (letters < WORD_MIN || all - letters > MORE_MAX)
		return 0;
	return (int)(all - letters) + 1;
}

void nearest_add(struct nearest *s, const char *candidate)
{
	size_t n = strlen(s->word), m = strlen(candidate);
	int d, more;

	if (!strcmp(s->word, candidate))
		return;
	more = letters_more(s->word, candidate);
	if (more && (more == 1 || !s->best || s->distance > 3) &&
	    (!s->more || more < s->more || (more == s->more && strcmp(candidate, s->best) < 0))) {
		s->best = candidate;
		s->more = more;
		s->distance = 2 * WORD_MAX_LEN;
	}
	if ((n > m ? n - m : m - n) > n / 3 + 1)
		return;
	/* A letter too many counts a little extra: "prinft" is "printf" rather than "print". Case counts as one edit. */
	d = strcasecmp(s->word, candidate) ? 2 * edit_distance(s->word, candidate) + (n > m) : 2;
	if (s->more == 1 || (s->more && d > 3))
		return;
	if (!s->best || d < s->distance || (d == s->distance && strcmp(candidate, s->best) < 0)) {
		s->best = candidate;
		s->distance = d;
		s->more = 0;
	}
}

void nearest_add_name(const char *candidate, void *data)
{
	nearest_add(data, candidate);
}

const char *nearest_get(const struct nearest *s)
{
	size_t len = strlen(s->word), allowed = len < 4 ? 1 : len / 3;

	/* Every name resembles a single letter. */
	return len > 1 && s->best && (s->more || (size_t)s->distance / 2 <= allowed) ? s->best : NULL;
}
