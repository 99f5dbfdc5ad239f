/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes procfs.*: files below /proc/systemtap/MODULE/, and standard input, which comes through the control file.
 *
 * Each open file has a separate buffer, so readers do not see each other's text. The kernel closes what is still open,
 * and waits for calls under way, when the files are removed: before the module's text goes. So no call waits for anything
 * that a program can hold back: see procfs_copy().
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/pagemap.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/value.h"

#define PROCFS_ROOT "systemtap"
enum { PROCFS_PATH_MAX = 512, PROCFS_REFUSALS = 1000 };

/* $value of a running handler. */
struct procfs_value {
	char *text;
	u32 size; /* with the NUL */
};

/* One open file. */
struct procfs_open {
	struct mutex lock;
	struct procfs_value value;
	size_t len;
};

static const struct kt_procfs_row *procfs_rows;
static u32 n_procfs_rows;
static bool procfs_made;          /* our directory is there */
static struct vfsmount *procfs_mount; /* of our own, while procfs_made */
static bool procfs_ends;          /* the files are about to be removed */
static DECLARE_WAIT_QUEUE_HEAD(procfs_waiters); /* for a page, or for procfs_ends */
/* Standard input: writes to the control file and the end of the session meet. */
static DEFINE_MUTEX(procfs_input_lock);
static char *procfs_path;         /* our directory, and space for the name of a file: PROCFS_PATH_MAX bytes */
static char *procfs_line;         /* of kt_script.string_max bytes */
static u32 procfs_line_len;

/* ---- $value ---- */
static __always_inline const struct procfs_value *procfs_value_of(const struct kt_ctx *c)
{
	return c->instance;
}

KT_TEXT(__procfs_value, procfs_value_of(c)->text)
KT_ACTION(__procfs_set, kt_strcpy(procfs_value_of(c)->text, text, procfs_value_of(c)->size),
	  const char *text)
KT_ACTION(__procfs_append, kt_strcat(procfs_value_of(c)->text, text, procfs_value_of(c)->size),
	  const char *text)

/* Runs the handlers of KIND; PATH NULL: whatever it is. */
static void procfs_run(u32 kind, const char *path, struct procfs_value *v)
{
	const struct kt_procfs_row *row = procfs_rows;

	for (u32 i = 0; i < n_procfs_rows; i++)
		if (row[i].kind == kind && (!path || !strcmp(row[i].path, path)) && kt_run_state() == KT_RUNNING)
			kt_handle_own(&kt_script.probes[row[i].probe], v);
}

/* ---- memory of readers and writers ---- */
/* Does a program serve SB? It takes pages away as it likes, and a fault then waits until it delivers them. */
static bool procfs_is_served(const struct super_block *sb)
{
	return sb->s_magic == FUSE_SUPER_MAGIC && strcmp(sb->s_type->name, "virtiofs");
}

/* Can a fault at the index'th page of VMA be resolved without waiting for a file system? */
static bool procfs_page_is_near(const struct vm_area_struct *vma, pgoff_t index)
{
	void *entry;
	bool is_cached;

	if (vma->vm_flags & (VM_IO | VM_PFNMAP | VM_HUGETLB))
		return false;
	if (!vma->vm_file)
		return true;
	if (vma->vm_flags & VM_SHARED && vma->vm_ops && vma->vm_ops->page_mkwrite)
		return false;
	if (procfs_is_served(file_inode(vma->vm_file)->i_sb))
		return false;
	rcu_read_lock();
	entry = xa_load(&vma->vm_file->f_mapping->i_pages, index);
	is_cached = entry && !xa_is_value(entry) && kt_cached_page(entry, index);
	rcu_read_unlock();
	return is_cached;
}

/* Makes the current task's page at ADDRESS present. -EAGAIN: not now; -EFAULT: there is none, or it is in a file and not in
 * memory. Never waits for another program. */
static int procfs_page_in(unsigned long address, bool writes)
{
	unsigned int flags = FAULT_FLAG_ALLOW_RETRY | FAULT_FLAG_RETRY_NOWAIT | (writes ? FAULT_FLAG_WRITE : 0);
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	int err = -EFAULT;
	vm_fault_t fault;

	if (!mm || !mmap_read_trylock(mm))
		return mm ? -EAGAIN : -EFAULT;
	vma = find_vma(mm, address);
	if (vma && vma->vm_start <= address && vma->vm_flags & (writes ? VM_WRITE : VM_READ) &&
	    procfs_page_is_near(vma, linear_page_index(vma, address))) {
		fault = handle_mm_fault(vma, address & PAGE_MASK, flags, NULL);
		err = fault & VM_FAULT_ERROR ? -EFAULT : fault & VM_FAULT_RETRY ? -EAGAIN : 0;
	}
	mmap_read_unlock(mm);
	return err;
}

/* Copies N bytes between the buffer TEXT and the current task's memory USER. A page that another program has to deliver
 * (userfaultfd, FUSE) may never come: only this call waits for it, the end of the session does not; then the result is -EIO. A page can
 * also be present and refuse each copy: one of a shadow stack does. */
static int procfs_copy(char *text, char __user *user, size_t n, bool to_user)
{
	u32 refusals = 0;

	while (n > 0) {
		size_t part = min_t(size_t, n, PAGE_SIZE - offset_in_page(user));
		long err = to_user ? copy_to_user_nofault(user, text, part) : copy_from_user_nofault(text, user, part);

		if (!err) {
			text += part;
			user += part;
			n -= part;
			continue;
		}
		err = procfs_page_in(untagged_addr((unsigned long)user), to_user);
		if (err == -EAGAIN)
			wait_event_interruptible_timeout(procfs_waiters, READ_ONCE(procfs_ends), 1);
		else if (err)
			return (int)err;
		else if (++refusals > PROCFS_REFUSALS)
			return -EFAULT;
		if (READ_ONCE(procfs_ends))
			return -EIO;
		if (signal_pending(current))
			return -EINTR;
	}
	return 0;
}

/* ---- the files ---- */
static int procfs_open_file(struct inode *inode, struct file *file)
{
	const struct kt_procfs_row *row = kt_proc_data(inode);
	u32 size = max(kt_script.string_max, row->size + 1);
	struct procfs_open *o;

	/* A mode for root alone is not enough: root of a container is the owner, too. */
	if (!(inode->i_mode & 0077) && !perfmon_capable())
		return -EPERM;
	/* The memory is the reader's, who may be any user: a limit on it counts this. */
	o = kvzalloc(sizeof(*o) + size, GFP_KERNEL_ACCOUNT);
	if (!o)
		return -ENOMEM;
	mutex_init(&o->lock);
	o->value.text = (char *)(o + 1);
	o->value.size = size;
	file->private_data = o;
	return 0;
}

static int procfs_close_file(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

/* A read from the start runs the probes; what follows is the rest of what they gave. */
static ssize_t procfs_read(struct file *file, char __user *to, size_t len, loff_t *pos)
{
	const struct kt_procfs_row *row = kt_proc_data(file_inode(file));
	struct procfs_open *o = file->private_data;
	size_t n = 0;
	int err = 0;

	if (*pos < 0)
		return -EINVAL;
	if (mutex_lock_interruptible(&o->lock))
		return -EINTR;
	if (!*pos) {
		o->value.text[0] = 0;
		procfs_run(KT_PROCFS_READ, row->path, &o->value);
		o->len = kt_strlen(o->value.text);
	}
	if (*pos < o->len) {
		n = min_t(size_t, len, o->len - *pos);
		err = procfs_copy(o->value.text + *pos, to, n, true);
	}
	mutex_unlock(&o->lock);
	if (err)
		return err;
	*pos += n;
	return (ssize_t)n;
}

/* Data longer than a string comes in several calls. */
static ssize_t procfs_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	const struct kt_procfs_row *row = kt_proc_data(file_inode(file));
	struct procfs_open *o = file->private_data;
	size_t n = min_t(size_t, len, o->value.size - 1);
	int err;

	if (mutex_lock_interruptible(&o->lock))
		return -EINTR;
	err = procfs_copy(o->value.text, (char __user *)from, n, false);
	if (err) {
		mutex_unlock(&o->lock);
		return err;
	}
	o->value.text[n] = 0;
	procfs_run(KT_PROCFS_WRITE, row->path, &o->value);
	mutex_unlock(&o->lock);
	return (ssize_t)n;
}

static const struct proc_ops procfs_ops = {
	.proc_open = procfs_open_file,
	.proc_release = procfs_close_file,
	.proc_read = procfs_read,
	.proc_write = procfs_write,
	.proc_lseek = default_llseek,
};

/* ---- standard input ---- */
static void procfs_input_char(char c)
{
	char text[] = { c, 0 };
	struct procfs_value one = { text, sizeof(text) }, line = { procfs_line, kt_script.string_max };

	procfs_run(KT_PROCFS_STDIN, NULL, &one);
	if (procfs_line_len + 1 < kt_script.string_max)
		procfs_line[procfs_line_len++] = c;
	if (c != '\n')
		return;
	procfs_line[procfs_line_len] = 0;
	procfs_run(KT_PROCFS_STDIN_LINE, NULL, &line);
	procfs_line_len = 0;
}

ssize_t kt_procfs_input(const char __user *from, size_t len)
{
	char buffer[256];
	size_t n = min(len, sizeof(buffer));

	if (copy_from_user(buffer, from, n))
		return -EFAULT;
	if (mutex_lock_interruptible(&procfs_input_lock))
		return -EINTR;
	for (size_t i = 0; i < n && procfs_line; i++)
		procfs_input_char(buffer[i]);
	mutex_unlock(&procfs_input_lock);
	return (ssize_t)n;
}

/* ---- making and removing the files ---- */
/* All sessions share one directory. Whoever looks whether it exists or is empty, and makes or removes it, holds this lock. Modules
 * cannot share a lock of their own, as none may export it; so it is one of the idle task, which nobody can trace, signal or
 * make execute a program: nothing else takes it. */
static struct mutex *procfs_lock(void)
{
	return &init_task.signal->cred_guard_mutex;
}

/* Links of the shared directory: 2 when it is empty, 0 when it does not exist. It is looked up in a mount of our own: in the one
 * of the current task, which may have none left, every user can hold the lock of a directory. */
static unsigned int procfs_links(void)
{
	struct path path;
	struct kstat stat = { .nlink = 0 };

	if (vfs_path_lookup(procfs_mount->mnt_root, procfs_mount, PROCFS_ROOT, LOOKUP_DIRECTORY, &path))
		return 0;
	if (vfs_getattr_nosec(&path, &stat, STATX_NLINK, AT_STATX_SYNC_AS_STAT))
		stat.nlink = 3;
	path_put(&path);
	return stat.nlink;
}

/* Needs the lock. */
static void procfs_remove_empty(void)
{
	if (procfs_links() == 2)
		remove_proc_entry(PROCFS_ROOT, NULL);
}

static int procfs_make_folder(void)
{
	struct file_system_type *type = get_fs_type("proc");
	int err = 0;

	procfs_mount = type ? kern_mount(type) : ERR_PTR(-ENODEV);
	if (IS_ERR(procfs_mount))
		return PTR_ERR(procfs_mount);
	scnprintf(procfs_path, PROCFS_PATH_MAX, PROCFS_ROOT "/%s", THIS_MODULE->name);
	mutex_lock(procfs_lock());
	if (!procfs_links() && !proc_mkdir(PROCFS_ROOT, NULL))
		err = -ENOMEM;
	else if (!proc_mkdir(procfs_path, NULL))
		err = -EEXIST;
	if (err)
		procfs_remove_empty();
	mutex_unlock(procfs_lock());
	procfs_made = !err;
	if (err)
		kern_unmount(procfs_mount);
	return err;
}

static void procfs_remove_folder(void)
{
	WRITE_ONCE(procfs_ends, true);
	wake_up_all(&procfs_waiters);
	remove_proc_subtree(procfs_path, NULL);
	mutex_lock(procfs_lock());
	procfs_remove_empty();
	mutex_unlock(procfs_lock());
	kern_unmount(procfs_mount);
	procfs_made = false;
}

/* Makes the file of ROW and the directories that lead to it, unless an earlier row has made them. PATH holds our directory. */
static int procfs_make_file(const struct kt_procfs_row *row, char *path)
{
	size_t at = strlen(path), room = PROCFS_PATH_MAX - at, len = strlen(row->path);
	int err = 0;

	if (row->clashes)
		return -ENOTDIR;
	if (len + 2 > room)
		return -ENAMETOOLONG;
	for (const char *slash = strchr(row->path + row->made, '/'); slash && !err; slash = strchr(slash + 1, '/')) {
		scnprintf(path + at, room, "/%.*s", (int)(slash - row->path), row->path);
		err = proc_mkdir(path, NULL) ? 0 : -ENOMEM;
	}
	scnprintf(path + at, room, "/%s", row->path);
	if (!err && row->made < len && !proc_create_data(path, (umode_t)row->mode, NULL, &procfs_ops, (void *)row))
		err = -ENOMEM;
	path[at] = 0;
	return err;
}

static int procfs_find(struct kt_place *p, const struct module *mod)
{
	const struct kt_procfs_row *row = p->row;
	int err = 0;

	if (row->kind != KT_PROCFS_READ && row->kind != KT_PROCFS_WRITE)
		return 0;
	if (!procfs_made)
		err = procfs_make_folder();
	return err ?: procfs_make_file(row, procfs_path);
}

static void procfs_finish(struct kt_places *all)
{
	if (procfs_made)
		procfs_remove_folder();
	mutex_lock(&procfs_input_lock);
	kt_free(procfs_line);
	kfree(procfs_path);
	procfs_line = procfs_path = NULL;
	procfs_line_len = 0;
	procfs_rows = NULL;
	mutex_unlock(&procfs_input_lock);
}

static int procfs_prepare(struct kt_places *all)
{
	char *line = kt_alloc(kt_script.string_max, -1);

	procfs_path = kmalloc(PROCFS_PATH_MAX, GFP_KERNEL);
	procfs_rows = kt_place_at(all, 0)->row;
	n_procfs_rows = all->n;
	mutex_lock(&procfs_input_lock);
	procfs_line = line;
	mutex_unlock(&procfs_input_lock);
	return procfs_path && line ? 0 : -ENOMEM;
}

const struct kt_family_ops kt_procfs_family = {
	.size = sizeof(struct kt_place),
	.row_size = sizeof(struct kt_procfs_row),
	.prepare = procfs_prepare,
	.find = procfs_find,
	.finish = procfs_finish,
};
