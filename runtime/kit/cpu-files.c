/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files /proc/ktap_NAME.cpu/N: the records of one CPU, for its reader (-b). No module has a dot in its name, so no
 * session's control file has the name of the directory. They are in /proc and not in debugfs, where files of relay usually are: a
 * kernel that is locked down forbids those, and debugfs need not be mounted.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>

#include "runtime/kit/handler.h"

static struct proc_dir_entry *cpu_files;

static int cpu_of(const struct file *file)
{
	return (int)(long)kt_proc_data(file_inode(file));
}

static int cpu_file_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_MODULE))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENOENT;
	if (kt_ring_open_reader(cpu_of(file), true))
		return 0;
	module_put(THIS_MODULE);
	return -EBUSY;
}

static int cpu_file_release(struct inode *inode, struct file *file)
{
	kt_ring_open_reader(cpu_of(file), false);
	module_put(THIS_MODULE);
	return 0;
}

static ssize_t cpu_file_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return kt_ring_read(cpu_of(file), buf, len);
}

static __poll_t cpu_file_poll(struct file *file, poll_table *wait)
{
	int cpu = cpu_of(file);

	poll_wait(file, &kt_readers, wait);
	if (poll_requested_events(wait) & EPOLLIN)
		kt_ring_await(cpu);
	return (kt_ring_has_data(cpu) ? EPOLLIN | EPOLLRDNORM : 0) | (kt_ring_called(cpu) ? EPOLLPRI : 0);
}

static const struct proc_ops cpu_file_ops = {
	.proc_open = cpu_file_open,
	.proc_release = cpu_file_release,
	.proc_read = cpu_file_read,
	.proc_poll = cpu_file_poll,
	.proc_lseek = noop_llseek,
};

int kt_cpu_files_create(void)
{
	char name[sizeof("ktap_.cpu") + MODULE_NAME_LEN], number[12];
	int cpu;

	if (!(kt_output & KT_OUTPUT_FILES))
		return 0;
	scnprintf(name, sizeof(name), "ktap_%s.cpu", THIS_MODULE->name);
	cpu_files = proc_mkdir_mode(name, 0500, NULL);
	if (!cpu_files)
		return -ENOMEM;
	for_each_possible_cpu (cpu) {
		scnprintf(number, sizeof(number), "%d", cpu);
		if (!proc_create_data(number, 0400, cpu_files, &cpu_file_ops, (void *)(long)cpu))
			return -ENOMEM;
	}
	return 0;
}

void kt_cpu_files_destroy(void)
{
	proc_remove(cpu_files);
	cpu_files = NULL;
	kt_readers_leave();
}
