/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The real system calls of the loader, and small files of /proc and /sys. */
#include "runtime/loader/sys.h"

#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/process.h"
#include "lib/text.h"

static int real_finit_module(int fd, const char *params, int flags)
{
	return (int)syscall(SYS_finit_module, fd, params, flags);
}

static int real_init_module(const void *image, size_t len, const char *params)
{
	return (int)syscall(SYS_init_module, image, len, params);
}

static int real_delete_module(const char *name, int flags)
{
	return (int)syscall(SYS_delete_module, name, flags);
}

static int real_ioctl(int fd, unsigned int request, void *arg)
{
	return ioctl(fd, request, arg);
}

static bool real_may_load(void)
{
	return process_capabilities() >> CAP_SYS_MODULE & 1;
}

const struct loader_sys loader_sys_real = {
	.root = "",
	.finit_module = real_finit_module,
	.init_module = real_init_module,
	.delete_module = real_delete_module,
	.ioctl = real_ioctl,
	.read = read,
	.may_load = real_may_load,
};

char *sys_path(const struct loader_sys *sys, const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	text_puts(&t, sys->root);
	va_start(ap, fmt);
	text_vprintf(&t, fmt, ap);
	va_end(ap);
	return t.buf;
}

char *sys_read_line(const struct loader_sys *sys, const char *path)
{
	_cleanup_free_ char *full = sys_path(sys, "%s", path);
	struct text t = { 0 };

	if (!text_read_file(&t, full)) {
		text_deinit(&t);
		return NULL;
	}
	if (t.len && t.buf[t.len - 1] == '\n')
		t.buf[t.len - 1] = 0;
	return t.buf ? t.buf : xstrdup("");
}
