/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does ftrace take an array of addresses? 4f554e955614 "ftrace: Add ftrace_set_filter_ips function", v5.18. */
#include <linux/ftrace.h>

int kt_question(struct ftrace_ops *ops, unsigned long *ips, unsigned int n)
{
	return ftrace_set_filter_ips(ops, ips, n, 0, 0);
}
