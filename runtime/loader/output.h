/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where printed text goes: a buffer before stdout, the file of -o or stderr, which never makes the session wait.
 *
 * A pipe or terminal that is full is not waited for in write(2), where Ctrl-C would not be seen: text stays in the buffer,
 * the session goes on, and stops reading records while the buffer is long (the kernel's rings then count what is lost).
 */
#ifndef KT_LOADER_OUTPUT_H
#define KT_LOADER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/paths.h"
#include "lib/text.h"
#include "runtime/loader/readers.h"

enum { OUTPUT_LONG = 4 << 20 }; /* bytes in the buffer above which no more is read */

/* -S: the most bytes of a file, and the most files; 0: no bound. */
struct rotation {
	size_t size;
	unsigned int files;
};

struct output {
	int fd;
	bool may_block; /* not a regular file */
	bool owned;     /* fd was opened by output_open_file() */
	bool broken;    /* the reader went away or the disk is full: all text is dropped; reported unless EPIPE, or stderr */
	const char *pattern; /* of the file that output_open_file() opened */
	struct output_dir dir; /* of that file */
	unsigned int switched;
	struct rotation rotation;
	size_t written; /* bytes in the file */
	char **kept;    /* names of the files that there are, the oldest first: with -S SIZE,FILES */
	unsigned int n_kept;
	bool takes_messages; /* of a daemon: the file is standard output and standard error too */
	struct readers *readers; /* others that read along; NULL: none can */
	struct text text;
	size_t done;    /* bytes of text that are written */
};

void output_init(struct output *o, int fd);
/* Looks at the file again, which is another one now. */
void output_look(struct output *o);
/* PATTERN is expanded by strftime. With a size in ROTATION the first file has .0 after its name. False: reported. */
bool output_open_file(struct output *o, const char *pattern, struct rotation rotation);
/* Switches to the next file: the name of the first with .1, .2 and so on appended. False: the output
 * is no file of -o, or the next cannot be written, which was reported. */
bool output_switch(struct output *o);
/* The file is what the process and its children write to from now on, whatever file that is then. */
void output_take_messages(struct output *o);
/* Text that stands in one file whole, as long as no file's bound is less. */
void output_append(struct output *o, const char *text, size_t len);
/* Closes the file of output_open_file(). Returns false if not all text was written, as broken says. */
bool output_deinit(struct output *o);

/* Writes what can be written at once. */
void output_flush(struct output *o);
/* Writes all, however long that takes. */
void output_wait(struct output *o);
static inline size_t output_pending(const struct output *o) { return o->text.len - o->done; }

#endif
