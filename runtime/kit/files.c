/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that rows name. They are held, not opened: opening a pipe would wait. */
#include <linux/dcache.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "runtime/kit/memory.h"
#include "runtime/kit/services.h"

void *kt_file_of(struct kt_file **list, const char *name, size_t size)
{
	struct kt_file *f;

	for (f = *list; f; f = f->next)
		if (f->name == name || (name && f->name && !strcmp(f->name, name)))
			return f;
	f = kt_memory_for(size) ? kvzalloc(size, GFP_KERNEL) : NULL;
	if (!f)
		return NULL;
	f->name = name;
	f->error = name ? kern_path(name, LOOKUP_FOLLOW, &f->path) : 0;
	if (name && !f->error)
		f->inode = d_backing_inode(f->path.dentry);
	f->next = *list;
	smp_store_release(list, f);
	return f;
}

void kt_files_close(struct kt_file **list)
{
	struct kt_file *f, *next;

	for (f = *list; f; f = next) {
		next = f->next;
		if (f->inode)
			path_put(&f->path);
		kvfree(f);
	}
	*list = NULL;
}
