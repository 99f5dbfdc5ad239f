/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of earlier kernels: kit/old-kernel.c. */
#ifndef KT_KIT_OLD_KERNEL_H
#define KT_KIT_OLD_KERNEL_H

struct file;
struct files_struct;
struct socket;

struct file *kt_old_fcheck_files(struct files_struct *files, unsigned int fd);
int kt_old_getsockopt(struct socket *sock, int level, int name, char *value, int *len);

#endif
