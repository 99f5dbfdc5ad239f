/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that need root or a module, in a table: unit tests put fakes there. */
#ifndef KT_LOADER_SYS_H
#define KT_LOADER_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct loader_sys {
	const char *root; /* stands before /proc, /sys, /dev and /run in every path; "" in real life */
	int (*finit_module)(int fd, const char *params, int flags);
	int (*init_module)(const void *image, size_t len, const char *params);
	int (*delete_module)(const char *name, int flags);
	int (*ioctl)(int fd, unsigned int request, void *arg);     /* on the control file */
	ssize_t (*read)(int fd, void *buf, size_t len);            /* of the control file */
	bool (*may_load)(void);                                     /* has CAP_SYS_MODULE */
};

extern const struct loader_sys loader_sys_real;

/* root + PATH, to be freed. */
char *sys_path(const struct loader_sys *sys, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The whole of a small file under root without its last newline, to be freed; NULL: not readable. */
char *sys_read_line(const struct loader_sys *sys, const char *path);

#endif
