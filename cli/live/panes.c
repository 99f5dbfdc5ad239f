/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/live/panes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/live/screen.h"
#include "lib/arena.h"
#include "lib/clock.h"

enum { BODY_MIN = 9 /* lines that three panes need */, OUTPUT_MIN = 4, CELL_MAX = 32 };

/* ---- probes as a table ---- */

/* Columns are left out from the last one that fits no more. */
static const struct column {
	const char *head;
	int width;
	enum sort_column sort;
} columns[] = {
	{ "RATE/s", 8, SORT_RATE }, { "HITS", 11, SORT_HITS }, { "CPU%", 6, SORT_SHARE }, { "AVG", 7, SORT_AVERAGE }, { "LOST", 7, SORT_LOST },
};

enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]), POINT_MIN = 16 };

static void put_scaled(char *ret, double value, bool whole)
{
	static const char units[] = " KMGTPE";
	int unit = 0;

	for (; value >= 99999.5 && units[unit + 1]; unit++)
		value /= 1000;
	snprintf(ret, CELL_MAX, value < 9.95 && value > 0 && !unit && !whole ? "%.1f%c" : "%.0f%c", value, units[unit]);
	if (!unit)
		ret[strlen(ret) - 1] = 0;
}

static void put_time(char *ret, double ns)
{
	if (ns < 0)
		strcpy(ret, "-");
	else if (ns < 9999.5)
		snprintf(ret, CELL_MAX, "%.0fns", ns);
	else if (ns < 9999.5e3)
		snprintf(ret, CELL_MAX, "%.0fus", ns / 1e3);
	else
		snprintf(ret, CELL_MAX, "%.0fms", ns / 1e6);
}

static void put_cell(char *ret, const struct probe_row *row, enum sort_column column)
{
	*ret = 0;
	switch (column) {
	case SORT_RATE:
		put_scaled(ret, row->rate, false);
		return;
	case SORT_HITS:
		put_scaled(ret, (double)row->hits, true);
		return;
	case SORT_SHARE:
		snprintf(ret, CELL_MAX, "%.2f", row->share);
		return;
	case SORT_AVERAGE:
		put_time(ret, row->average);
		return;
	case SORT_LOST:
		put_scaled(ret, (double)row->lost, true);
		return;
	case SORT_NUMBER:
	case SORT_POINT:
	case SORT_COLUMNS:
		return;
	}
}

/* The line of ROW, NULL: the head. */
static void put_probe(struct text *t, const struct panes *p, const struct probe_row *row)
{
	int used = 0;

	for (int i = 0; i < N_COLUMNS && used + columns[i].width + POINT_MIN <= p->columns; used += columns[i++].width) {
		char cell[CELL_MAX];

		if (row)
			put_cell(cell, row, columns[i].sort);
		else
			snprintf(cell, sizeof(cell), "%s%s", columns[i].sort == p->sort ? p->reversed ? "^" : "v" : "", columns[i].head);
		text_printf(t, "%*s", columns[i].width, cell);
	}
	if (row)
		text_printf(t, " %c%s", row->state, row->point);
	else
		text_printf(t, "  %sPROBE", p->sort == SORT_POINT ? p->reversed ? "^" : "v" : "");
}

/* The number that ROW has in COLUMN; 0 in a column of another kind. */
static double sort_value(const struct probe_row *row, enum sort_column column)
{
	switch (column) {
	case SORT_HITS:
		return (double)row->hits;
	case SORT_RATE:
		return row->rate;
	case SORT_AVERAGE:
		return row->average;
	case SORT_SHARE:
		return row->share;
	case SORT_LOST:
		return (double)row->lost;
	default: /* the point, and what no column sorts by */
		return 0;
	}
}

static int compare_probes(const void *a, const void *b, void *panes)
{
	const struct panes *sorting = panes;
	const struct probe_row *x = *(struct probe_row *const *)a, *y = *(struct probe_row *const *)b;
	double p = sort_value(x, sorting->sort), q = sort_value(y, sorting->sort);
	int order = sorting->sort == SORT_POINT ? strcmp(x->point, y->point) : p < q ? 1 : p > q ? -1 : 0;

	order = order ? order : x->number - y->number;
	return sorting->reversed ? -order : order;
}

/* The probes that pass the filter, in order; to be freed. */
static struct probe_row **sorted(struct panes *p, size_t *ret_n)
{
	struct probe_row **all = xmalloc((p->figures.n_probes + 1) * sizeof(*all));

	*ret_n = 0;
	for (size_t i = 0; i < p->figures.n_probes; i++)
		if (strcasestr(p->figures.probes[i].point, p->pane[PANE_PROBES].filter))
			all[(*ret_n)++] = &p->figures.probes[i];
	qsort_r(all, *ret_n, sizeof(*all), compare_probes, p);
	return all;
}

static size_t place_of(struct probe_row *const *all, size_t n, int number)
{
	size_t at = 0;

	while (at < n && all[at]->number != number)
		at++;
	return at < n ? at : 0;
}

struct probe_row *panes_selected(struct panes *p)
{
	size_t n;
	struct probe_row **all = sorted(p, &n), *row = n ? all[place_of(all, n, p->selected)] : NULL;

	free(all);
	return row;
}

/* ---- moving ---- */

static size_t moved(size_t at, long by, size_t n)
{
	if (by < 0)
		return at < (size_t)-by ? 0 : at - (size_t)-by;
	return n && at + (size_t)by >= n ? n - 1 : n ? at + (size_t)by : 0;
}

void panes_move(struct panes *p, long by)
{
	struct pane *pane = &p->pane[p->focus];
	size_t last = pane->n > pane->height ? pane->n - pane->height : 0;

	if (p->focus == PANE_PROBES) {
		size_t n;
		struct probe_row **all = sorted(p, &n);

		if (n)
			p->selected = all[moved(place_of(all, n, p->selected), by, n)]->number;
		free(all);
		return;
	}
	pane->top = moved(pane->top, by, last + 1);
	if (p->focus == PANE_OUTPUT)
		p->follows = pane->top >= last;
}

/* ---- drawing ---- */

static void put_text(const struct panes *p, int row, enum screen_style style, const struct text *t)
{
	screen_put(p->screen, row, 0, p->columns, style, t->buf ? t->buf : "", t->len);
}

static void draw_bar(const struct panes *p, int row, enum pane_id id, const char *head)
{
	const struct pane *pane = &p->pane[id];
	struct text t = { 0 }, right = { 0 };
	int space;

	text_puts(&t, head);
	if (*pane->filter)
		text_printf(&right, " /%s/", pane->filter);
	if (pane->n > pane->height)
		text_printf(&right, " %zu-%zu of %zu", pane->top + 1, pane->top + pane->height, pane->n);
	space = p->columns - (int)right.len - 1;
	put_text(p, row, id == p->focus ? STYLE_ACTIVE_BAR : STYLE_BAR, &t);
	if (right.len && space > 8)
		screen_put(p->screen, row, space, (int)right.len + 1, id == p->focus ? STYLE_ACTIVE_BAR : STYLE_BAR, right.buf, right.len);
	text_deinit(&t);
	text_deinit(&right);
}

static void draw_probes(struct panes *p, int row, size_t height)
{
	struct pane *pane = &p->pane[PANE_PROBES];
	size_t n, at;
	struct probe_row **all = sorted(p, &n);
	struct text head = { 0 };

	pane->n = n;
	pane->height = height;
	at = place_of(all, n, p->selected);
	pane->top = at < pane->top ? at : at >= pane->top + height ? at - height + 1 : pane->top;
	pane->top = n > height ? (pane->top + height > n ? n - height : pane->top) : 0;
	put_probe(&head, p, NULL);
	draw_bar(p, row, PANE_PROBES, text_str(&head));
	text_deinit(&head);
	for (size_t i = 0; i < height && pane->top + i < n; i++) {
		const struct probe_row *probe = all[pane->top + i];
		enum screen_style style = pane->top + i == at && p->focus == PANE_PROBES ? STYLE_SELECTED :
					  probe->state == '!' ? STYLE_ALERT : probe->state == '-' ? STYLE_DIM : STYLE_PLAIN;
		struct text t = { 0 };

		put_probe(&t, p, probe);
		put_text(p, row + 1 + (int)i, style, &t);
		text_deinit(&t);
	}
	free(all);
}

/* The lines of L that pass the filter of PANE; to be freed. */
static const char **filtered(const struct lines *l, size_t n_lines, struct pane *pane)
{
	const char **all = xmalloc((n_lines + 1) * sizeof(*all));

	pane->n = 0;
	for (size_t i = 0; i < n_lines; i++)
		if (!*pane->filter || strcasestr(l->line[i], pane->filter))
			all[pane->n++] = l->line[i];
	return all;
}

static void draw_lines(struct panes *p, enum pane_id id, int row, size_t height)
{
	struct pane *pane = &p->pane[id];
	const struct lines *l = id == PANE_OUTPUT ? &p->output : &p->figures.globals;
	size_t n = id == PANE_OUTPUT && p->paused && p->held < l->n ? p->held : l->n, last;
	const char **all = filtered(l, n, pane);

	pane->height = height;
	last = pane->n > height ? pane->n - height : 0;
	if (pane->top > last || (id == PANE_OUTPUT && p->follows))
		pane->top = last;
	draw_bar(p, row, id, id == PANE_OUTPUT ? "OUTPUT" : p->figures.by_key ? "GLOBALS by key" : "GLOBALS by value");
	for (size_t i = 0; i < height && pane->top + i < pane->n; i++) {
		const char *line = all[pane->top + i], *bar = strstr(line, " |@");
		bool graph = id == PANE_GLOBALS && bar && line[0] == ' ';

		screen_put(p->screen, row + 1 + (int)i, 0, p->columns, STYLE_PLAIN, line, strlen(line));
		if (graph)
			screen_put(p->screen, row + 1 + (int)i, (int)(bar - line) + 2, p->columns, STYLE_GRAPH, bar + 2, strlen(bar + 2));
	}
	free(all);
}

static void draw_pane(struct panes *p, enum pane_id id, int row, int height)
{
	if (height < 1)
		return;
	if (id == PANE_PROBES)
		draw_probes(p, row, (size_t)height - 1);
	else
		draw_lines(p, id, row, (size_t)height - 1);
}

/* Lines of each pane, with its bar: probes and globals take what they need, and leave the output a part. */
static void divide(const struct panes *p, int body, int ret[PANES])
{
	int probes = (int)p->figures.n_probes + 1, globals = (int)p->figures.globals.n + 1, output = body / 3;

	memset(ret, 0, PANES * sizeof(*ret));
	if (p->zoomed || body < BODY_MIN) {
		ret[p->focus] = body;
		return;
	}
	output = output < OUTPUT_MIN ? OUTPUT_MIN : output;
	probes = probes < 3 ? 3 : probes;
	if (probes > (body - output) / 2)
		probes = globals < (body - output) / 2 ? body - output - globals : (body - output) / 2;
	if (globals > body - output - probes)
		globals = body - output - probes;
	ret[PANE_PROBES] = probes;
	ret[PANE_GLOBALS] = globals < 2 ? 2 : globals;
	ret[PANE_OUTPUT] = body - ret[PANE_PROBES] - ret[PANE_GLOBALS];
}

static void put_title(struct text *t, const struct panes *p, const struct live *live)
{
	struct json_object *script = live_member(live->start, "script");
	uint64_t lost = 0;
	double end = p->ended ? p->ended : clock_seconds();

	for (size_t i = 0; i < p->figures.n_probes; i++)
		lost += p->figures.probes[i].now.lost;
	text_printf(t, "ktap %s", p->over ? "ended" : p->paused ? "PAUSED" : !live->start ? "loading" : !live->snapshots ? "starting" : "running");
	text_printf(t, " %.0fs", end - p->began);
	text_printf(t, "  errors %" PRIu64 "  lost %" PRIu64 "  probes %zu", live->errors, lost, p->figures.n_probes);
	text_printf(t, "  %s  %s", live_text(script, "name"), live_text(live->start, "kernel.release"));
}

/* Length of the whole items, which two blanks separate, that fit into WIDTH columns. */
static size_t fitting(const char *items, size_t width)
{
	size_t len = strlen(items);

	while (len > width)
		for (len--; len && strncmp(items + len, "  ", 2); len--)
			;
	return len;
}

static void draw_last_line(const struct panes *p)
{
	static const char keys[] = "q quit  ? help  p pause  d disarm  a arm  s sort  / filter  R reset  w save  Tab next  z zoom";
	struct text t = { 0 };

	if (p->question) {
		text_printf(&t, "%s %s", p->question, p->answer);
		put_text(p, p->rows - 1, STYLE_PLAIN, &t);
	} else if (*p->message) {
		text_puts(&t, p->message);
		put_text(p, p->rows - 1, p->alert ? STYLE_ALERT : STYLE_PLAIN, &t);
	} else {
		if (p->over)
			text_puts(&t, "The session is over. q quits, w saves.");
		else
			text_append(&t, keys, fitting(keys, (size_t)p->columns));
		put_text(p, p->rows - 1, STYLE_DIM, &t);
	}
	text_deinit(&t);
}

static void draw_help(const struct panes *p)
{
	static const char *const help[] = {
		"q        end the session and quit      Ctrl-C  likewise",
		"p        pause: the figures stay       Ctrl-Z  suspend",
		"Tab      next pane                     z       zoom it",
		"arrows   select a probe, or scroll; PgUp PgDn Home End",
		"d a      disarm, arm the selected probe; Space: the other",
		"s        sort by the next column       v       reverse",
		"/        show lines with a text only; empty: all",
		"R        reset the globals             w       save to a file",
		"? h      help; any key leaves it",
		"",
		"RATE/s, CPU% and AVG are of the time since the last refresh:",
		"hits a second, share of one CPU, time of a handler.",
		"Before a probe: - disarmed, ! stopped by the overload guard.",
	};

	for (int i = 0; i < (int)(sizeof(help) / sizeof(help[0])) && i < p->rows - 2; i++)
		screen_put(p->screen, i + 1, 0, p->columns, STYLE_PLAIN, help[i], strlen(help[i]));
}

void panes_draw(struct panes *p, const struct live *live)
{
	struct text title = { 0 };
	int height[PANES], row = 1;

	screen_resize(p->screen, &p->rows, &p->columns);
	screen_begin();
	put_title(&title, p, live);
	put_text(p, 0, p->over || p->paused ? STYLE_ALERT : STYLE_PLAIN, &title);
	text_deinit(&title);
	divide(p, p->rows - 2, height);
	if (p->help)
		draw_help(p);
	for (int i = 0; i < PANES && !p->help; row += height[i++])
		draw_pane(p, (enum pane_id)i, row, height[i]);
	draw_last_line(p);
	if (p->question)
		screen_show(p->screen, p->rows - 1, (int)(strlen(p->question) + 1 + strlen(p->answer)));
	else
		screen_show(p->screen, -1, 0);
}

/* ---- saving ---- */

static void put_lines(struct text *t, const struct lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		text_put_clean(t, l->line[i], strlen(l->line[i]));
		text_puts(t, "\n");
	}
}

void panes_save(struct panes *p, const struct live *live, struct text *t)
{
	struct panes wide = *p;
	size_t n;
	struct probe_row **all = sorted(p, &n);

	wide.columns = 200;
	put_title(t, p, live);
	text_puts(t, "\n\n");
	put_probe(t, &wide, NULL);
	text_puts(t, "\n");
	for (size_t i = 0; i < n; i++) {
		put_probe(t, &wide, all[i]);
		text_puts(t, "\n");
	}
	text_puts(t, "\n");
	put_lines(t, &p->figures.globals);
	text_puts(t, "\n");
	put_lines(t, &p->output);
	free(all);
}
