/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of --monitor: a title, the panes, and a line for keys, messages and questions. */
#ifndef KTAP_CLI_LIVE_PANES_H
#define KTAP_CLI_LIVE_PANES_H

#include "cli/live/figures.h"

enum pane_id { PANE_PROBES, PANE_GLOBALS, PANE_OUTPUT, PANES };
enum sort_column { SORT_NUMBER, SORT_HITS, SORT_RATE, SORT_AVERAGE, SORT_SHARE, SORT_LOST, SORT_POINT, SORT_COLUMNS };
enum { FILTER_MAX = 64, ANSWER_MAX = 256 };

struct pane {
	size_t top;                /* first line that is shown */
	char filter[FILTER_MAX];   /* part of the lines that are shown; "": all */
	size_t n;                  /* lines that pass the filter, as last drawn */
	size_t height;             /* lines that there is space for, as last drawn */
};

struct screen;

struct panes {
	struct screen *screen;
	struct figures figures;
	struct lines output;
	struct pane pane[PANES];
	enum pane_id focus;
	bool zoomed;               /* the focused pane has the whole screen */
	bool paused, help, over;
	bool follows;              /* the end of the output is shown */
	size_t held;               /* lines of output when it was paused */
	enum sort_column sort;
	bool reversed;
	int selected;              /* number of a probe; 0: the first that is shown */
	const char *question;      /* NULL: none is asked */
	char answer[ANSWER_MAX];
	char message[ANSWER_MAX];  /* "": keys are shown */
	bool alert;                /* it is an error */
	double began, ended;       /* of the session, seconds; ended 0: it goes on */
	int rows, columns;         /* of the screen */
};

void panes_draw(struct panes *p, const struct live *live);
/* Moves in the focused pane by LINES, or selects another probe. */
void panes_move(struct panes *p, long lines);
/* The row of the selected probe, or NULL. */
struct probe_row *panes_selected(struct panes *p);
/* Writes all that there is to show, as text. */
void panes_save(struct panes *p, const struct live *live, struct text *t);

#endif
