/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C function that is being written. */
#ifndef KTAP_GEN_CODE_H
#define KTAP_GEN_CODE_H

#include "translator/gen/state.h"

/* One statement of C. */
void gen_line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An empty line. */
void gen_blank(struct gen *g);
/* A line that opens a block, one that closes it. */
void gen_open(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gen_close(struct gen *g, const char *s);
/* `next`: to the end of the handler, or to the next overload. */
void gen_next(struct gen *g);
/* NUMBER as C, in which handlers that share a function may differ. */
const char *gen_datum(const struct gen *g, int number);
/* Between these two stands C that sets TO. A shared function sets it to the value that WORD (enum kt_word) describes. */
void gen_region(struct gen *g);
void gen_region_end(struct gen *g, uint64_t word, const char *to);
/* Ends the handler, or the try, if what stands before failed at N. */
void gen_check(struct gen *g, const struct node *n);
/* A value from C text. */
struct value value_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Literal of a number; of a string, cut to what a string of the script holds; of a string as it is. */
const char *c_number(long long v);
const char *c_whole_string(const char *s, size_t len);
const char *c_string(struct gen *g, const char *s, size_t len, size_t *ret_len);
struct value gen_constant(long long number);
/* A fresh temporary of type kt_s64. */
const char *gen_temp(struct gen *g);
/* Code generated from here to gen_try_failed(), which takes the result, may fail without ending the handler. */
const char *gen_try(struct gen *g);
/* Opens the block of what is done when it failed; c->error says why, and is to be set to 0 there. */
void gen_try_failed(struct gen *g, const char *failed);
/* A fresh slot of the frame, as C text. */
const char *gen_slot(struct gen *g);
/* Keeps V in a temporary: C that runs later cannot change it. */
struct value gen_hold(struct gen *g, struct value v, enum type type);
/* From a template of ops.def. */
const char *gen_template(struct gen *g, const struct node *n, const char *a, const char *b, bool *ret_fails);
/* The value of a string literal, with a warning if it is cut. */
struct value gen_literal(struct gen *g, const struct node *n);
/* A fresh temporary that points to the words of a value. */
const char *gen_pointer(struct gen *g);
/* A C function: begin, emit statements through g, write declarations and code. */
void unit_begin(struct gen *g, struct unit *u);
int unit_strings(const struct symbol *params, const struct symbol *locals);
void unit_write(struct gen *g, struct text *out, const struct symbol *params, const struct symbol *locals);

#endif
