/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session and the file through which the loader drives it. */
#ifndef KT_KIT_SESSION_H
#define KT_KIT_SESSION_H

#include "runtime/script.h"

/* ---- session.c ---- */
int kt_session_start(const struct kt_start *start);
/* Undoes everything; with PROBES end or error probes run. Idempotent. */
void kt_session_stop(bool probes);
void kt_session_status(struct kt_status *ret);
int kt_session_set_global(const struct kt_set_global *set, const char *string);

/* ---- condition.c ---- */
/* Evaluates all conditions, and again when they may have changed, until they are stopped. Around arming and disarming,
 * under kt_run.lock. */
void kt_conditions_start(void);
void kt_conditions_stop(void);

/* ---- switch.c: probes that the loader disarms and arms ---- */
int kt_switch_create(void);
void kt_switch_destroy(void);
/* KT_IOC_SWITCH of the probes with the N numbers PROBES: 0 or -errno. Returns when their places have followed. Context: process. */
int kt_switch(const u32 *probes, u32 n, bool off, u32 *ret_refused);

/* ---- control.c ---- */
int kt_control_create(void);
void kt_control_destroy(void);

#endif
