/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The control file /proc/ktap_NAME: the loader's one way to the session. read() gives records, ioctls do the rest.
 *
 * A reader holds the module, so the module cannot go while it is there; when the reader goes, even by SIGKILL, the session
 * stops, so that the module can. It is no device: who makes a node in /dev waits for everybody who reads that directory,
 * and a program can do that for as long as it likes (into a page that does not come).
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "runtime/fn.h"
#include "runtime/kit/family.h"
#include "runtime/kit/handler.h"
#include "runtime/kit/services.h"
#include "runtime/kit/session.h"

enum { READ_WAIT_MS = 20 };

static atomic_t opened = ATOMIC_INIT(0);

/* ---- read ---- */
static bool something_to_say(void)
{
	return READ_ONCE(kt_reader_woken) || kt_rings_have_data() || kt_run_state() >= KT_STOPPING;
}

static ssize_t control_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (!(file->f_flags & O_NONBLOCK) && !something_to_say())
		wait_event_interruptible_timeout(kt_readers, READ_ONCE(kt_reader_woken), msecs_to_jiffies(READ_WAIT_MS));
	if (signal_pending(current) && !kt_rings_have_data())
		return -EINTR;
	WRITE_ONCE(kt_reader_woken, false);
	return kt_rings_read(buf, len);
}

static ssize_t control_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return kt_procfs_input(buf, len);
}

/* EPOLLPRI: reading is urgent, a ring is half full or the session wants to end. */
static __poll_t control_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &kt_readers, wait);
	return (something_to_say() ? EPOLLIN | EPOLLRDNORM : 0) | (READ_ONCE(kt_reader_woken) ? EPOLLPRI : 0);
}

/* ---- ioctls ---- */
static long get_info(void __user *arg)
{
	const struct kt_info info = {
		.abi = KT_ABI,
		.n_probes = kt_script.n_probes,
		.n_formats = kt_script.n_formats,
		.n_places = kt_script.n_places,
		.n_globals = kt_script.n_globals,
		.buffer_size = kt_rings_size(),
		.string_max = kt_script.string_max,
		.n_cpus = kt_rings_count(),
		.flags = kt_procfs_flags() | (kt_script.timed ? KT_INFO_TIMED : 0) | (kt_script.lines ? KT_INFO_LINES : 0) |
			 (kt_script.identity ? KT_INFO_JSON : 0),
		.n_objects = kt_script.n_objects,
		.stacks = kt_script.stacks,
		.n_rows = kt_families_rows(),
		.signals = kt_signals_wanted(),
		.n_programs = kt_rows_of(KT_FAMILY_PERF)->n,
	};

	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static const char *text_of(const struct kt_text_request *req)
{
	const struct kt_family_rows *perf = kt_rows_of(KT_FAMILY_PERF);
	u32 i = req->index;

	switch ((enum kt_text_kind)req->kind) {
	case KT_TEXT_FORMAT:
		return i < kt_script.n_formats ? kt_script.formats[i] : NULL;
	case KT_TEXT_PLACE:
		return i < kt_script.n_places ? kt_script.places[i] : NULL;
	case KT_TEXT_LINE:
		return kt_script.lines && i < kt_script.n_places ? kt_script.lines[i] : NULL;
	case KT_TEXT_PROBE:
		return i < kt_script.n_probes ? kt_script.probes[i].pp : NULL;
	case KT_TEXT_GLOBAL:
		return i < kt_script.n_globals ? kt_script.globals[i].name : NULL;
	case KT_TEXT_OBJECT:
		return i < kt_script.n_objects ? kt_script.objects[i] : NULL;
	case KT_TEXT_ORIGIN:
		return kt_script.origins && i < kt_script.n_probes ? kt_script.origins[i] : NULL;
	case KT_TEXT_IDENTITY:
		return kt_script.identity && i < KT_IDENTITIES ? kt_script.identity[i] : NULL;
	case KT_TEXT_MECHANISM:
		return kt_script.mechanisms && i < kt_script.n_probes ? kt_script.mechanisms[i] : NULL;
	case KT_TEXT_PROGRAM:
		return i < perf->n ? ((const struct kt_perf_row *)perf->rows)[i].path : NULL;
	case KT_TEXT_KINDS:
		break;
	case KT_TEXT_BUILD_ID:
		return i == 0 ? kt_script.build_id : NULL;
	}
	return NULL;
}

static long get_text(struct kt_text_request __user *arg)
{
	struct kt_text_request req;
	const char *text;
	u32 room, len;

	if (copy_from_user(&req, arg, sizeof(req)))
		return -EFAULT;
	text = text_of(&req);
	if (!text)
		return -ENOENT;
	room = req.size;
	len = kt_strlen(text) + 1;
	if (put_user(len, &arg->size))
		return -EFAULT;
	if (len > room)
		return -ENOSPC;
	return copy_to_user((void __user *)(unsigned long)req.buffer, text, len) ? -EFAULT : 0;
}

static long set_global(const void __user *arg)
{
	struct kt_set_global *set = memdup_user(arg, sizeof(*set));
	long err;

	if (IS_ERR(set))
		return PTR_ERR(set);
	set->name[sizeof(set->name) - 1] = 0;
	set->string[sizeof(set->string) - 1] = 0;
	err = kt_session_set_global(set);
	kfree(set);
	return err;
}

static long start(const void __user *arg)
{
	struct kt_start s;

	if (copy_from_user(&s, arg, sizeof(s)))
		return -EFAULT;
	s.tz_name[sizeof(s.tz_name) - 1] = 0;
	return kt_session_start(&s);
}

static long get_status(void __user *arg)
{
	struct kt_status s;

	kt_session_status(&s);
	return copy_to_user(arg, &s, sizeof(s)) ? -EFAULT : 0;
}

static long get_probe(struct kt_probe_status __user *arg)
{
	struct kt_probe_status s;
	u32 i;

	if (get_user(i, &arg->index))
		return -EFAULT;
	if (i >= kt_script.n_probes)
		return -ENOENT;
	s = kt_run.probes[i];
	s.index = i;
	s.flags = kt_script.probes[i].flags;
	s.off = (READ_ONCE(kt_run.switched_off[i]) ? KT_OFF_SWITCHED : 0) |
		(kt_run.stopped && READ_ONCE(kt_run.stopped[i]) ? KT_OFF_OVERLOAD : 0);
	kt_ledger_read(i, &s);
	kt_timing_read(i, &s);
	return copy_to_user(arg, &s, sizeof(s)) ? -EFAULT : 0;
}

static long add_object(const void __user *arg)
{
	struct kt_object object;

	if (copy_from_user(&object, arg, sizeof(object)))
		return -EFAULT;
	return kt_unwind_add(&object);
}

static long program_starts(const void __user *arg)
{
	struct kt_program_start at;

	return copy_from_user(&at, arg, sizeof(at)) ? -EFAULT : kt_perf_program_starts(&at);
}

static long get_name(void __user *arg)
{
	struct kt_name_request name;

	if (copy_from_user(&name, arg, sizeof(name)))
		return -EFAULT;
	memset(name.text, 0, sizeof(name.text));
	kt_name_text(name.text, sizeof(name.text), name.address, name.kind);
	return copy_to_user(arg, &name, sizeof(name)) ? -EFAULT : 0;
}

static long pass_signal(const u32 __user *arg)
{
	u32 number;

	if (get_user(number, arg))
		return -EFAULT;
	kt_signal_came(number);
	return 0;
}

static long switch_probes(struct kt_switch __user *arg)
{
	struct kt_switch s;
	u32 *probes;
	long err;

	if (copy_from_user(&s, arg, sizeof(s)))
		return -EFAULT;
	if (!s.n || s.n > kt_script.n_probes)
		return -EINVAL;
	probes = vmemdup_user((const void __user *)(unsigned long)s.probes, (size_t)s.n * sizeof(*probes));
	if (IS_ERR(probes))
		return PTR_ERR(probes);
	err = kt_switch(probes, s.n, s.off, &s.refused);
	kvfree(probes);
	return err ?: put_user(s.refused, &arg->refused);
}

static long control_ioctl(struct file *file, unsigned int cmd, unsigned long argument)
{
	void __user *arg = (void __user *)argument;

	switch (cmd) {
	case KT_IOC_INFO:
		return get_info(arg);
	case KT_IOC_TEXT:
		return get_text(arg);
	case KT_IOC_SET:
		return set_global(arg);
	case KT_IOC_START:
		return start(arg);
	case KT_IOC_STOP:
		kt_session_stop(true);
		return 0;
	case KT_IOC_CANCEL:
		kt_run_ask_stop(false);
		return 0;
	case KT_IOC_STATUS:
		return get_status(arg);
	case KT_IOC_PROBE:
		return get_probe(arg);
	case KT_IOC_NAME:
		return get_name(arg);
	case KT_IOC_SIGNAL:
		return pass_signal(arg);
	case KT_IOC_SWITCH:
		return switch_probes(arg);
	case KT_IOC_PROGRAM:
		return program_starts(arg);
	case KT_IOC_OBJECT:
		return add_object(arg);
	}
	return -ENOTTY;
}

/* ---- the file ---- */
/* The mode is not enough: root of a container is its owner. */
static int control_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_MODULE))
		return -EPERM;
	if (!try_module_get(THIS_MODULE))
		return -ENOENT;
	if (!atomic_cmpxchg(&opened, 0, 1))
		return 0;
	module_put(THIS_MODULE);
	return -EBUSY;
}

static int control_release(struct inode *inode, struct file *file)
{
	kt_session_stop(false);
	atomic_set(&opened, 0);
	module_put(THIS_MODULE); /* proc_remove() waits for this call */
	return 0;
}

static const struct proc_ops control_ops = {
	.proc_open = control_open,
	.proc_release = control_release,
	.proc_read = control_read,
	.proc_write = control_write,
	.proc_poll = control_poll,
	.proc_ioctl = control_ioctl,
	.proc_lseek = noop_llseek,
};

static struct proc_dir_entry *control_file;

int kt_control_create(void)
{
	char name[sizeof("ktap_") + MODULE_NAME_LEN];

	scnprintf(name, sizeof(name), "ktap_%s", THIS_MODULE->name);
	control_file = proc_create(name, 0600, NULL, &control_ops);
	return control_file ? 0 : -ENOMEM;
}

void kt_control_destroy(void)
{
	proc_remove(control_file);
	kt_reader_finish();
	kt_session_stop(false);
	kt_perf_programs_destroy();
}
