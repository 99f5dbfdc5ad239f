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

/* Whether the reader was called. Readers of single CPUs are called for their rings, the one of this file for the end alone. */
static bool is_called(void)
{
	return kt_output & KT_OUTPUT_FILES ? kt_run_state() >= KT_STOPPING : READ_ONCE(kt_reader_woken);
}

/* EPOLLPRI: reading is urgent, a ring is half full or the session wants to end. Who asks for EPOLLIN is called by the next record. */
static __poll_t control_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &kt_readers, wait);
	if (poll_requested_events(wait) & EPOLLIN)
		kt_rings_await();
	return (something_to_say() ? EPOLLIN | EPOLLRDNORM : 0) | (is_called() ? EPOLLPRI : 0);
}

/* ---- ioctls: each is given its argument, which run() has copied, and fills it ---- */
/* Defines an ioctl that returns the value of CALL, an expression in which A is its argument. */
#define REQUEST(name, type, call)                  \
	static long name(void *argument)           \
	{                                          \
		type *a __maybe_unused = argument; \
                                                   \
		return call;                       \
	}
REQUEST(stop, void, (kt_session_stop(true), 0))
REQUEST(cancel, void, (kt_run_ask_stop(false), 0))
REQUEST(get_status, struct kt_status, (kt_session_status(a), 0))
REQUEST(add_object, const struct kt_object, kt_unwind_add(a))
REQUEST(program_starts, const struct kt_program_start, kt_perf_program_starts(a))
REQUEST(pass_signal, const u32, (kt_signal_came(*a), 0))
REQUEST(start, const struct kt_start, kt_session_start(a))
REQUEST(get_name, struct kt_name_request,
	(kt_name_text(a->text, sizeof(a->text), a->address, a->kind), 0))

static long get_info(void *argument)
{
	*(struct kt_info *)argument = (struct kt_info){
		.abi = KT_ABI,
		.n_probes = kt_script.n_probes,
		.n_formats = kt_script.n_formats,
		.n_places = kt_script.n_places,
		.n_globals = kt_script.n_globals,
		.buffer_size = kt_ring_size,
		.string_max = kt_script.string_max,
		.n_cpus = num_possible_cpus(),
		.flags = (u32)kt_rows_of(KT_FAMILY_PROCFS)->wants | (kt_script.timed ? KT_INFO_TIMED : 0) | (kt_script.lines ? KT_INFO_LINES : 0) |
			 (kt_script.identity ? KT_INFO_JSON : 0),
		.n_objects = kt_script.n_objects,
		.n_modules = kt_script.n_modules,
		.stacks = kt_script.stacks,
		.n_rows = kt_families_rows(),
		.signals = kt_rows_of(KT_FAMILY_SIGNAL)->wants,
		.n_programs = kt_rows_of(KT_FAMILY_PERF)->n,
	};
	return 0;
}

/* Member `member` of an array of N. */
#define TEXTS(array, member, n) { (array) ? &(array)->member : NULL, sizeof(*(array)), (n) }

static const char *text_of(const struct kt_text_request *req)
{
	const struct kt_family_rows *perf = kt_rows_of(KT_FAMILY_PERF);
	const struct kt_perf_row *perf_row = perf->rows;
	const struct {
		const void *first; /* NULL: there are none */
		size_t step;
		u32 n;
	} texts[KT_TEXT_KINDS] = {
		[KT_TEXT_FORMAT] = { kt_script.formats, sizeof(char *), kt_script.n_formats },
		[KT_TEXT_PLACE] = { kt_script.places, sizeof(char *), kt_script.n_places },
		[KT_TEXT_LINE] = { kt_script.lines, sizeof(char *), kt_script.n_places },
		[KT_TEXT_PROBE] = TEXTS(kt_script.probes, pp, kt_script.n_probes),
		[KT_TEXT_GLOBAL] = TEXTS(kt_script.globals, name, kt_script.n_globals),
		[KT_TEXT_OBJECT] = { kt_script.objects, sizeof(char *), kt_script.n_objects },
		[KT_TEXT_ORIGIN] = { kt_script.origins, sizeof(char *), kt_script.n_probes },
		[KT_TEXT_IDENTITY] = { kt_script.identity, sizeof(char *), KT_IDENTITIES },
		[KT_TEXT_MECHANISM] = { kt_script.mechanisms, sizeof(char *), kt_script.n_probes },
		[KT_TEXT_PROGRAM] = TEXTS(perf_row, path, perf->n),
		[KT_TEXT_MODULE] = TEXTS(kt_script.modules, name, kt_script.n_modules),
		[KT_TEXT_MODULE_BUILD] = TEXTS(kt_script.modules, build_id, kt_script.n_modules),
		[KT_TEXT_BUILD_ID] = { &kt_script.build_id, sizeof(char *), 1 },
	};
	u32 i = req->index, kind = req->kind;

	if (kind >= KT_TEXT_KINDS || !texts[kind].first || i >= texts[kind].n)
		return NULL;
	return *(const char *const *)((const char *)texts[kind].first + i * texts[kind].step);
}

static long get_text(void *argument)
{
	struct kt_text_request *req = argument;
	const char *text = text_of(req);
	u32 room = req->size;

	if (!text)
		return -ENOENT;
	req->size = kt_strlen(text) + 1;
	if (req->size > room)
		return -ENOSPC;
	return copy_to_user((void __user *)(unsigned long)req->buffer, text, req->size) ? -EFAULT : 0;
}

static long get_probe(void *argument)
{
	struct kt_probe_status *s = argument;
	u32 i = s->index, off;

	if (i >= kt_script.n_probes)
		return -ENOENT;
	off = kt_probe_off(i); /* before the numbers of the overload */
	*s = kt_run.probes[i];
	s->index = i;
	s->flags = kt_script.probes[i].flags;
	s->off = off & (KT_OFF_SWITCHED | KT_OFF_OVERLOAD);
	kt_ledger_read(i, s);
	kt_timing_read(i, s);
	return 0;
}

static long set_global(void *argument)
{
	const struct kt_set_global *set = argument;
	char *string;
	long err;

	if (set->index >= kt_script.n_globals)
		return -ENOENT;
	if (set->len > U16_MAX) /* no string of a script is as long */
		return -E2BIG;
	string = memdup_user_nul((const void __user *)(unsigned long)set->string, set->len);
	if (IS_ERR(string))
		return PTR_ERR(string);
	err = kt_session_set_global(set, string);
	kfree(string);
	return err;
}

static long switch_probes(void *argument)
{
	struct kt_switch *s = argument;
	u32 *probes;
	long err;

	if (!s->n || s->n > kt_script.n_probes)
		return -EINVAL;
	probes = vmemdup_user((const void __user *)(unsigned long)s->probes, (size_t)s->n * sizeof(*probes));
	if (IS_ERR(probes))
		return PTR_ERR(probes);
	err = kt_switch(probes, s->n, s->off, &s->refused);
	kvfree(probes);
	return err;
}

static const struct request_row {
	unsigned int number; /* it says how large the argument is, and which way it goes */
	long (*run)(void *argument);
} requests[] = {
	{ KT_IOC_INFO, get_info },       { KT_IOC_TEXT, get_text },     { KT_IOC_SET, set_global },
	{ KT_IOC_START, start },         { KT_IOC_STOP, stop },         { KT_IOC_CANCEL, cancel },
	{ KT_IOC_STATUS, get_status },   { KT_IOC_PROBE, get_probe },   { KT_IOC_NAME, get_name },
	{ KT_IOC_SWITCH, switch_probes },
	{ KT_IOC_SIGNAL, pass_signal },  { KT_IOC_OBJECT, add_object }, { KT_IOC_PROGRAM, program_starts },
};

static long run(const struct request_row *r, void __user *user)
{
	u32 size = _IOC_SIZE(r->number);
	void *argument = kzalloc(size, GFP_KERNEL);
	long err;

	if (!argument)
		return -ENOMEM;
	err = _IOC_DIR(r->number) & _IOC_WRITE && copy_from_user(argument, user, size) ? -EFAULT : r->run(argument);
	if (_IOC_DIR(r->number) & _IOC_READ && copy_to_user(user, argument, size))
		err = -EFAULT;
	kfree(argument);
	return err;
}

static long control_ioctl(struct file *file, unsigned int number, unsigned long argument)
{
	for (u32 i = 0; i < ARRAY_SIZE(requests); i++)
		if (requests[i].number == number)
			return run(&requests[i], (void __user *)argument);
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
