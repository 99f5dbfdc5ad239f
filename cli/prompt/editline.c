/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines by libedit. The terminal sends no signals while a line is edited: Ctrl-C is a key, and Ctrl-Z too. */
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/prompt/prompt.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/trust.h"
#include "lib/vec.h"

enum { LISTED_MAX = 200, COLUMN_MAX = 40 };

struct editor {
	EditLine *el;
	History *history;
	prompt_complete_fn *complete;
	void *of;
	int history_fd;
	const char *prompt;
	bool cancelled;
};

static struct editor *editor_of(EditLine *el)
{
	void *editor = NULL;

	el_get(el, EL_CLIENTDATA, &editor);
	return editor;
}

static char *prompt_of(EditLine *el)
{
	return (char *)editor_of(el)->prompt;
}

static void enter_history(const char *line, void *editor)
{
	const struct editor *e = editor;
	HistEvent event;

	history(e->history, &event, H_ENTER, line);
}

/* ---- keys ---- */
/* Ctrl-C: the line is dropped. */
static unsigned char cancel(EditLine *el, int key)
{
	const LineInfo *li = el_line(el);

	fputs("^C\n", stdout);
	fflush(stdout);
	el_cursor(el, (int)(li->lastchar - li->cursor));
	li = el_line(el);
	el_deletestr(el, (int)(li->cursor - li->buffer));
	editor_of(el)->cancelled = true;
	return CC_EOF;
}

static unsigned char suspend(EditLine *el, int key)
{
	el_set(el, EL_PREP_TERM, 0);
	kill(0, SIGTSTP);
	el_set(el, EL_PREP_TERM, 1);
	return CC_REDISPLAY;
}

/* ---- completion ---- */
/* The words that may replace the typed one. */
struct choices {
	char **word; /* of lines; a tab ends each word */
	size_t n, typed;
};

static void split_choices(struct choices *c, char *lines)
{
	size_t len = strcspn(lines, "\n");
	char *save = NULL;

	c->typed = len;
	if (!lines[len])
		return;
	for (char *l = strtok_r(lines + len + 1, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		size_t n = strcspn(l, "\t");

		l[n] = 0;
		if (n >= len)
			*vec_add(c->word, c->n) = l;
	}
}

static size_t common_prefix(const struct choices *c)
{
	size_t len = strlen(c->word[0]);

	for (size_t i = 1; i < c->n; i++)
		for (size_t k = 0; k < len; k++)
			if (c->word[i][k] != c->word[0][k])
				len = k;
	return len;
}

static void list_choices(const struct choices *c)
{
	struct winsize size = { 0 };
	int width = 0, columns, at = 0;

	for (size_t i = 0; i < c->n; i++)
		if ((int)strlen(c->word[i]) > width)
			width = (int)strlen(c->word[i]);
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	columns = (size.ws_col ? size.ws_col : 80) / (width + 2);
	putchar('\n');
	for (size_t i = 0; i < c->n && i < LISTED_MAX; i++) {
		bool last = ++at >= columns || i + 1 == c->n || i + 1 == LISTED_MAX;
		_cleanup_text_ struct text word = { 0 };

		text_put_clean(&word, c->word[i], strlen(c->word[i])); /* a name from a file of another user's */
		printf("%-*s%s", last ? 0 : width + 2, text_str(&word), last ? "\n" : "");
		at = last ? 0 : at;
	}
	if (c->n > LISTED_MAX)
		printf("... %zu more\n", c->n - LISTED_MAX);
	fflush(stdout);
}

static unsigned char complete(EditLine *el, int key)
{
	const struct editor *e = editor_of(el);
	const LineInfo *li = el_line(el);
	_cleanup_free_ char *line = xasprintf("%.*s", (int)(li->cursor - li->buffer), li->buffer);
	struct choices c = { 0 };
	_cleanup_text_ struct text t = { 0 };
	unsigned char result = CC_REFRESH_BEEP;
	size_t len;

	e->complete(e->of, line, &t);
	if (t.len)
		split_choices(&c, t.buf);
	if (c.n) {
		len = common_prefix(&c);
		if (len > c.typed) {
			c.word[0][len] = 0;
			result = el_insertstr(el, c.word[0] + c.typed) ? CC_REFRESH_BEEP : CC_REFRESH;
		} else if (c.n > 1) {
			list_choices(&c);
			result = CC_REDISPLAY;
		}
	}
	free(c.word);
	return result;
}

/* ---- the editor ---- */
/* Key bindings of the user's, from the file that libedit looks for. One can bind a key to a whole command, so nobody else may be
 * able to write it. */
static void read_bindings(EditLine *el)
{
	const char *path = getenv("EDITRC"), *home = getenv("HOME"), *why;
	int fd;

	if (!path && home)
		path = arena_printf(&program_arena, "%s/.editrc", home);
	if (!path || access(path, F_OK))
		return;
	fd = trust_open(path, &why);
	if (fd < 0) {
		warning((struct loc){ 0 }, DIAG_UNTRUSTED, "the key bindings in '%s' are not used: %s", path, why);
		return;
	}
	el_source(el, arena_printf(&program_arena, "/proc/self/fd/%d", fd));
	close(fd);
}

struct editor *editline_open(prompt_complete_fn *complete_fn, void *of)
{
	const char *term = getenv("TERM");
	struct editor *e;
	HistEvent event;
	EditLine *el;

	if (!term || !*term || !strcmp(term, "dumb"))
		return NULL;
	setlocale(LC_CTYPE, "");
	e = xmalloc(sizeof(*e));
	*e = (struct editor){ .complete = complete_fn, .of = of, .history = history_init() };
	e->el = el = e->history ? el_init("ktap", stdin, stdout, stderr) : NULL;
	if (!el) {
		if (e->history)
			history_end(e->history);
		free(e);
		return NULL;
	}
	history(e->history, &event, H_SETSIZE, HISTORY_MAX);
	history(e->history, &event, H_SETUNIQUE, 1);
	el_set(el, EL_CLIENTDATA, e);
	el_set(el, EL_HIST, history, e->history);
	el_set(el, EL_PROMPT, prompt_of);
	el_set(el, EL_SIGNAL, 1);
	el_set(el, EL_EDITOR, "emacs");
	el_set(el, EL_ADDFN, "ktap-complete", "complete a word", complete);
	el_set(el, EL_ADDFN, "ktap-cancel", "drop the line", cancel);
	el_set(el, EL_ADDFN, "ktap-suspend", "suspend ktap", suspend);
	read_bindings(el); /* the keys below stay ours */
	el_set(el, EL_BIND, "^I", "ktap-complete", NULL);
	el_set(el, EL_BIND, "^C", "ktap-cancel", NULL);
	el_set(el, EL_BIND, "^Z", "ktap-suspend", NULL);
	el_set(el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_set(el, EL_SETTY, "-d", "-isig", NULL);
	e->history_fd = history_load(enter_history, e);
	return e;
}

enum prompt_result editline_read(struct editor *e, const char *prompt, struct text *ret)
{
	const char *line;
	int n = 0;

	e->prompt = prompt;
	e->cancelled = false;
	line = el_gets(e->el, &n);
	if (e->cancelled)
		return PROMPT_CANCELLED;
	if (!line || n <= 0) {
		putchar('\n');
		return PROMPT_END;
	}
	text_append(ret, line, (size_t)n - (line[n - 1] == '\n'));
	if (ret->len && ret->buf[strspn(ret->buf, " \t")]) {
		enter_history(ret->buf, e);
		history_add(e->history_fd, ret->buf);
	}
	return PROMPT_LINE;
}

void editline_close(struct editor *e)
{
	el_end(e->el);
	history_end(e->history);
	if (e->history_fd >= 0)
		close(e->history_fd);
	free(e);
}
