/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktaprun's sessions with a kernel made of fakes: what is loaded is removed, whatever happens between.
 *
 * The fake kernel is a folder with /proc, /sys, /dev and /run, and the functions below in the table of system calls.
 * Its session prints one record when it starts, and at STOP another one.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/process.h"
#include "lib/text.h"
#include "runtime/abi.h"
#include "runtime/loader/command.h"
#include "runtime/loader/image.h"
#include "runtime/loader/load.h"
#include "runtime/loader/print.h"
#include "runtime/loader/progress.h"
#include "runtime/loader/report.h"
#include "runtime/loader/session.h"
#include "runtime/loader/stacks.h"
#include "runtime/loader/verify.h"
#include "testsuite/unit/tap.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* START and STOP come from another thread than read() */
static struct {
	char root[64];
	int load_error, start_error, stop_error, read_error; /* errno to fail with, 0: none */
	int rename_error;                        /* the same, of a module that got another name */
	int remove_error;                        /* of delete_module */
	size_t renamed_size;                     /* of its image */
	int refuse_set;                          /* SET answers ENOENT */
	bool may_load;
	const char *build_id;                    /* that the script's addresses belong to */
	bool exit_at_once;                       /* the begin probe calls exit(5) */
	bool raise;                              /* the begin probe ends with an error */
	int loaded, removed;                     /* calls */
	int removed_unlocked;                    /* where a sweep could have come first */
	const char *modules;                     /* what /proc/modules becomes when the session runs */
	char removed_names[256];
	kt_u32 state;
	kt_s32 target;
	struct kt_status status;
	kt_u64 lost;
	kt_u32 ring;                             /* bytes of a CPU's ring */
	size_t read_room;                        /* read() wants so large a buffer for the next record */
	char records[1024];                      /* not read yet */
	size_t n_records;
	kt_u64 clock;
} k;

/* ---- the fake kernel ---- */

static const char *root_path(const char *path)
{
	static char buf[256];

	snprintf(buf, sizeof(buf), "%s%s", k.root, path);
	return buf;
}

static void put_file(const char *path, const char *text)
{
	struct text t = { 0 };
	char *dir = xstrdup(root_path(path)), *p;

	for (p = dir + strlen(k.root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		mkdir(dir, 0755);
	}
	free(dir);
	text_puts(&t, text);
	unlink(root_path(path));
	if (text_write_file(&t, root_path(path)) < 0)
		exit(99);
	text_deinit(&t);
}

static void emit(kt_u16 kind, kt_u16 number, const char *first, const char *second)
{
	struct kt_record r = { .size = sizeof(r), .kind = kind, .number = number, .time = ++k.clock };
	char *at = k.records + k.n_records + sizeof(r);

	pthread_mutex_lock(&lock);
	if (kind == KT_REC_ERROR) {
		const kt_s64 other = KT_ERROR_OTHER;

		memcpy(at, &other, sizeof(other));
		at += sizeof(other);
		r.size += sizeof(other);
	}
	for (int i = 0; i < 3; i++) {
		/* An error that came through no call. */
		const char *s = i == 2 && kind == KT_REC_ERROR ? "" : i == 2 ? NULL : i ? second : first;
		kt_u32 len = s ? (kt_u32)strlen(s) : 0;

		if (!s)
			continue;
		memset(at, 0, (4 + len + 7) & ~7u);
		memcpy(at, &len, 4);
		memcpy(at + 4, s, len);
		at += (4 + len + 7) & ~7u;
		r.size += (4 + len + 7) & ~7u;
	}
	memcpy(k.records + k.n_records, &r, sizeof(r));
	k.n_records += r.size;
	pthread_mutex_unlock(&lock);
}

static int fake_finit_module(int fd, const char *params, int flags)
{
	k.loaded++;
	errno = k.load_error;
	return k.load_error ? -1 : 0;
}

static int fake_init_module(const void *image, size_t len, const char *params)
{
	k.renamed_size = len;
	errno = k.rename_error;
	return k.rename_error ? -1 : 0;
}

static bool is_locked(void)
{
	int fd = open(root_path("/proc/vmallocinfo"), O_RDONLY | O_CLOEXEC);
	bool locked = flock(fd, LOCK_EX | LOCK_NB) < 0;

	close(fd);
	return locked;
}

static int fake_delete_module(const char *name, int flags)
{
	k.removed++;
	k.removed_unlocked += !is_locked();
	errno = k.remove_error;
	if (k.remove_error)
		return -1;
	strcat(strcat(k.removed_names, name), " ");
	return 0;
}

static int fake_start(const struct kt_start *start)
{
	k.target = start->target;
	if (k.modules)
		put_file("/proc/modules", k.modules);
	errno = k.start_error;
	if (k.start_error)
		return -1;
	emit(KT_REC_PRINT, 0, "begin", NULL);
	if (k.raise)
		emit(KT_REC_ERROR, 0, "division by 0", "begin");
	k.state = k.exit_at_once || k.raise ? KT_STOPPING : KT_RUNNING;
	k.status.exit_code = k.exit_at_once ? 5 : 0;
	k.status.failed = k.raise;
	k.status.errors = k.raise;
	return 0;
}

static int fake_ioctl(int fd, unsigned int request, void *arg)
{
	const char *const texts[] = { "%s\n", "operator '/' at x.stp:1:2", "begin", "limit", k.build_id };
	struct kt_text_request *text = arg;

	switch (request) {
	case KT_IOC_INFO:
		*(struct kt_info *)arg = (struct kt_info){ .abi = KT_ABI, .n_formats = 1, .n_places = 1, .n_probes = 1,
			.n_globals = 1, .n_cpus = 1, .buffer_size = k.ring, .n_rows = 10 };
		return 0;
	case KT_IOC_TEXT:
		strcpy((char *)(unsigned long)text->buffer, texts[text->kind]);
		return 0;
	case KT_IOC_SET:
		errno = ENOENT;
		return k.refuse_set ? -1 : 0;
	case KT_IOC_START:
		return fake_start(arg);
	case KT_IOC_STOP:
		errno = k.stop_error;
		if (k.stop_error)
			return -1;
		emit(KT_REC_PRINT, 0, "end", NULL);
		k.state = KT_STOPPED;
		return 0;
	case KT_IOC_STATUS:
		k.status.state = k.state;
		*(struct kt_status *)arg = k.status;
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

static ssize_t fake_read(int fd, void *buf, size_t len)
{
	struct kt_chunk c = { .horizon = k.clock, .lost_records = k.lost, .lost_bytes = 24 * k.lost };

	errno = k.read_error;
	if (!k.read_error && len < k.read_room)
		errno = EMSGSIZE;
	if (errno)
		return -1;
	pthread_mutex_lock(&lock);
	c.size = (kt_u32)k.n_records;
	memcpy(buf, &c, sizeof(c));
	memcpy((char *)buf + sizeof(c), k.records, k.n_records);
	k.n_records = 0;
	pthread_mutex_unlock(&lock);
	return (ssize_t)(sizeof(c) + c.size);
}

static bool fake_may_load(void)
{
	return k.may_load;
}

static const struct loader_sys fakes = {
	.root = k.root,
	.finit_module = fake_finit_module,
	.init_module = fake_init_module,
	.delete_module = fake_delete_module,
	.ioctl = fake_ioctl,
	.read = fake_read,
	.may_load = fake_may_load,
};

/* ---- a module file ---- */

static int module_abi = KT_ABI;
static size_t name_at = 24; /* where struct module has the name */

/* A relocatable with .modinfo and the structure that names the module; KEY replaces "ktap". */
static void make_module(const char *path, const char *key, const char *release)
{
	struct {
		Elf64_Ehdr e;
		Elf64_Shdr s[4];
		char names[64];
		char info[128];
		char this_module[128];
	} f = { 0 };
	static const char names[] = "\0.modinfo\0.gnu.linkonce.this_module\0.shstrtab";
	struct text t = { 0 };
	char *at = f.info;

	memcpy(f.e.e_ident, ELFMAG, SELFMAG);
	f.e.e_ident[EI_CLASS] = ELFCLASS64;
	f.e.e_type = ET_REL;
	f.e.e_shoff = sizeof(f.e);
	f.e.e_shnum = 4;
	f.e.e_shstrndx = 3;
	memcpy(f.names, names, sizeof(names));
	at += sprintf(at, "%s=abi=%d", key, module_abi) + 1;
	at += sprintf(at, "vermagic=%s SMP", release) + 1;
	sprintf(at, "name=fake");
	strcpy(f.this_module + name_at, "fake");
	f.s[1] = (Elf64_Shdr){ .sh_name = 1, .sh_offset = (size_t)(f.info - (char *)&f), .sh_size = sizeof(f.info) };
	f.s[2] = (Elf64_Shdr){ .sh_name = 10, .sh_offset = (size_t)(f.this_module - (char *)&f),
		.sh_size = sizeof(f.this_module) };
	f.s[3] = (Elf64_Shdr){ .sh_name = 36, .sh_offset = (size_t)(f.names - (char *)&f), .sh_size = sizeof(f.names) };
	text_append(&t, (char *)&f, sizeof(f));
	unlink(root_path(path));
	if (text_write_file(&t, root_path(path)) < 0)
		exit(99);
	text_deinit(&t);
}

/* ---- running ---- */

static char out[1024], err[2048];

static void read_back(const char *path, char *buf, size_t size)
{
	struct text t = { 0 };

	text_read_file(&t, root_path(path));
	snprintf(buf, size, "%s", text_str(&t));
	text_deinit(&t);
}

/* A fresh kernel. */
static void reset(void)
{
	k.load_error = k.start_error = k.stop_error = k.read_error = k.rename_error = k.refuse_set = k.remove_error = 0;
	k.may_load = true;
	k.build_id = "";
	k.modules = NULL;
	k.exit_at_once = true;
	k.raise = false;
	k.loaded = k.removed = k.removed_unlocked = 0;
	k.removed_names[0] = 0;
	k.status = (struct kt_status){ 0 };
	k.state = KT_LOADED;
	k.lost = k.n_records = k.clock = k.read_room = 0;
	k.ring = 1 << 20;
}

/* Between them standard error goes to a file, which is in `err` afterwards. */
static int err_begin(void)
{
	int saved = dup(2), to;

	put_file("/err", "");
	to = open(root_path("/err"), O_WRONLY | O_TRUNC);
	fflush(stderr);
	dup2(to, 2);
	close(to);
	return saved;
}

static void err_end(int saved)
{
	dup2(saved, 2);
	close(saved);
	read_back("/err", err, sizeof(err));
}

static int run(struct session_options o, const char *module)
{
	char *path = xstrdup(root_path(module)), *output = xstrdup(root_path("/out"));
	int saved, status;

	put_file("/out", "");
	o.module = path;
	o.output = output;
	saved = err_begin();
	status = session_run(&fakes, &o);
	err_end(saved);
	read_back("/out", out, sizeof(out));
	free(path);
	free(output);
	return status;
}

#define has(text) ok(strstr(err, text), "stderr has: %s", text)

static void test_plain(void)
{
	reset();
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "exit(5) is the exit status");
	is_str(out, "begin\nend\n", "records are printed, those of the end probe too");
	is_str(err, "", "nothing is said");
	is_str(k.removed_names, "fake ", "the module is removed");
	is_int(k.removed_unlocked, 0, "under the lock, or a sweep would take it for one that a killed session left");
	reset();
	k.remove_error = ENOSYS;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "a kernel without CONFIG_MODULE_UNLOAD runs scripts");
	is_str(out, "begin\nend\n", "records are printed");
	has("module 'fake' stays loaded until the next boot: this kernel was built without CONFIG_MODULE_UNLOAD");
	reset();
	k.exit_at_once = false;
	is_int(run((struct session_options){ .seconds = 0.05 }, "/m.ko"), 0, "-T ends the session");
	is_str(out, "begin\nend\n", "in order");
	reset();
	k.exit_at_once = false;
	is_int(run((struct session_options){ .command = "exit 3" }, "/m.ko"), 0, "the session ends with the command");
	has("WARNING: Child process exited with status 3");
	ok(k.target > 0, "the command is the target");
	reset();
	k.exit_at_once = false;
	is_int(run((struct session_options){ .command = "/no/such" }, "/m.ko"), 1, "a command that does not exist is an error");
	has("cannot run the command '/no/such'");
	is_str(k.removed_names, "fake ", "and the module is removed");
}

static void test_target(void)
{
	int status, ended;
	pid_t pid = fork();

	if (!pid)
		pause();
	reset();
	is_int(run((struct session_options){ .target = pid, .target_process = process_open(pid) }, "/m.ko"), 5, "a process is the target");
	is_int(k.target, pid, "by its number");
	ended = process_open(pid);
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	reset();
	is_int(run((struct session_options){ .target = pid, .target_process = ended }, "/m.ko"), 1, "one that has ended is an error");
	is_str(out, "", "no probe runs");
	has("ended before the session began");
	is_str(k.removed_names, "fake ", "the module is removed");
	close(ended);
}

static void test_errors_and_losses(void)
{
	reset();
	k.raise = true;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "an error in the script is exit status 1");
	has("ERROR: division by 0 near operator '/' at x.stp:1:2 in probe begin");
	has("WARNING: Number of errors: 1, skipped probes: 0");
	reset();
	k.lost = 7;
	k.status.lost[KT_LOSS_RETURN] = 3;
	run((struct session_options){ 0 }, "/m.ko");
	has("WARNING: There were 7 lost messages, 168 lost bytes.");
	has("WARNING: Skipped due to missed kretprobe");
	run((struct session_options){ .no_warnings = true }, "/m.ko");
	is_str(err, "", "-w silences warnings");
	is_int(run((struct session_options){ .strict = true, .no_warnings = true }, "/m.ko"), 6, "losses under --strict are exit status 6");
	has("error: --strict: the session had losses: return-slots 3, lost-records 7 [run]");
	reset();
	is_int(run((struct session_options){ .strict = true }, "/m.ko"), 5, "--strict without losses leaves the script's exit status");
	is_str(err, "", "and says nothing");
}

#define printed(text, what) ok(strstr(out, text), what)

/* -f json: all that a session says is an object. */
static void test_json(void)
{
	reset();
	is_int(run((struct session_options){ .json = true }, "/m.ko"), 5, "-f json runs");
	ok(!strncmp(out, "{\"type\":\"start\",\"schema\":1,", 26), "the first object is the start");
	printed("\"runtime\":\"kernel\"", "it names the runtime");
	printed("\"probes\":[{\"point\":\"begin\",\"number\":1}]}\n{\"type\":\"print\",", "it has the probes, and records follow");
	printed("{\"type\":\"print\",\"text\":\"begin\\n\",\"args\":[\"begin\"]}\n"
		"{\"type\":\"print\",\"text\":\"end\\n\",\"args\":[\"end\"]}\n", "each record is an object with its arguments");
	printed("\n{\"type\":\"exit\",\"process.exit.code\":5,\"errors\":0,\"lost\":{}}\n",
		"the last one has the exit status");
	is_str(err, "", "nothing is said beside");
	reset();
	k.raise = true;
	k.lost = 7;
	is_int(run((struct session_options){ .json = true, .clock = STAMP_MONO }, "/m.ko"), 1, "an error in the script is exit status 1");
	printed("\"message\":\"division by 0\"", "an error is one");
	printed("\"process.exit.code\":1,\"errors\":1,\"lost\":{\"lost-records\":7}}\n", "losses are in the last one");
	printed("{\"type\":\"error\",\"time_mono_nano\":2,\"message\":\"division by 0\",\"tag\":\"error\",\"point\":\"begin\"",
		"with the time of the record, and its place");
	printed("\"type\":\"warning\",\"time_mono_nano\":", "so is a warning");
}

static void test_failures(void)
{
	reset();
	k.load_error = EKEYREJECTED;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "a refused module is an error");
	has("cannot load module 'fake'");
	has("not signed");
	is_int(k.removed, 0, "what is not loaded is not removed");
	reset();
	k.stop_error = EIO;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "a session that cannot be stopped is an error");
	has("cannot stop the session, records may be missing: Input/output error");
	reset();
	k.start_error = ENOEXEC;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "a refused start is an error");
	is_str(k.removed_names, "fake ", "after which the module is removed");
	reset();
	k.exit_at_once = false;
	k.read_error = EIO;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "a read error ends the session");
	is_str(k.removed_names, "fake ", "and the module is removed");
	reset();
	k.ring = 8 << 20;
	k.read_room = 5 << 20;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "the read buffer grows with the records");
	is_str(out, "begin\nend\n", "which are printed");
	reset();
	k.read_room = 5 << 20;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "a record larger than the ring is an error");
	has("cannot read the session's records: Message too long");
	reset();
	k.refuse_set = 1;
	is_int(run((struct session_options){ .n_globals = 1, .globals = (const char *[]){ "limt=3" } }, "/m.ko"), 1,
	       "-G of an unknown global is an error");
	has("did you mean 'limit'?");
	is_str(k.removed_names, "fake ", "and the module is removed");
	reset();
	k.may_load = false;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "without the capability nothing is tried");
	is_int(k.loaded, 0, "not even loading");
	has("CAP_SYS_MODULE");
}

/* /m.ko with what looks like a signature of 64 bytes. */
static void make_signed_module(const char *path)
{
	static const char tail[] = "\0\0\2\0\0\0\0\0\0\0\0\100~Module signature appended~\n";
	struct text t = { 0 };

	text_read_file(&t, root_path("/m.ko"));
	for (int i = 0; i < 64; i++)
		text_append(&t, "s", 1);
	text_append(&t, tail, sizeof(tail) - 1);
	unlink(root_path(path));
	text_write_file(&t, root_path(path));
	text_deinit(&t);
}

/* What stopped the module, as /proc and /sys have it, and what is said then. */
static void test_refusals(void)
{
	static const char disabled[] = "/proc/sys/kernel/modules_disabled", lockdown[] = "/sys/kernel/security/lockdown";
	static const char ids[] = "/proc/self/uid_map", locked[] = "none [integrity] confidentiality\n";
	static const char how_to_sign[] = "sign it with: ktap --sign-module=KEY,CERT";
	static const struct {
		int error;
		const char *module, *file, *text, *why, *next;
	} rows[] = {
		{ EPERM, "/m.ko", disabled, "1\n", "kernel.modules_disabled is 1", "reboot without that setting" },
		{ EPERM, "/m.ko", lockdown, locked, "locked down (integrity), as with Secure Boot", how_to_sign },
		{ EPERM, "/signed.ko", lockdown, locked, "this one is signed with another key", "mokutil --import" },
		{ EPERM, "/m.ko", ids, "0 100000 65536\n", "in a user namespace", "outside of the container" },
		{ EPERM, "/m.ko", lockdown, "[none] integrity confidentiality\n", "a security module", "audit log" },
		{ EKEYREJECTED, "/m.ko", lockdown, "", "loads only signed modules (module.sig_enforce)", how_to_sign },
		{ ENOKEY, "/m.ko", lockdown, "", "and this one is not signed", how_to_sign },
		{ EKEYREJECTED, "/signed.ko", lockdown, "", "does not trust the key that it was signed with", "mokutil --import" },
		{ ENOKEY, "/signed.ko", lockdown, "", "does not trust the key that it was signed with", "mokutil --import" },
		{ EKEYEXPIRED, "/signed.ko", lockdown, "", "has expired", "mokutil --import" },
		{ EBADMSG, "/signed.ko", lockdown, "", "its signature is damaged", "build and sign it again" },
		{ ENOEXEC, "/m.ko", lockdown, "", "the running kernel is 1.2.3, but it was built with other options",
		  "bring kernel and headers to the same package version" },
		{ ENOSYS, "/m.ko", lockdown, "", "built without modules", "ktap --vm" },
		{ ENOENT, "/m.ko", lockdown, "", "lacks a symbol that the module needs", "ktap --vm" },
		{ EOPNOTSUPP, "/m.ko", lockdown, "", "needs a kernel with CONFIG_RELAY", "--transport=ring works on every kernel" },
		{ ENOMEM, "/m.ko", lockdown, "", "the buffers of the script are too large", "lower -s" },
		{ EINVAL, "/m.ko", lockdown, "", "cannot load module 'fake': Invalid argument", "see the end of dmesg" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		reset();
		put_file(disabled, "0\n");
		put_file(lockdown, "[none] integrity confidentiality\n");
		put_file(ids, "0 0 4294967295\n");
		put_file(rows[i].file, rows[i].text);
		k.load_error = rows[i].error;
		is_int(run((struct session_options){ 0 }, rows[i].module), 1, "a refused module is an error");
		has(rows[i].why);
		has(rows[i].next);
	}
}

/* --verify of MODULE, with what it prints in out. */
static bool verify(const char *module)
{
	char *path = xstrdup(root_path(module)), *output = xstrdup(root_path("/out"));
	int saved_out, saved;
	bool ok;

	fflush(stdout);
	saved_out = dup(STDOUT_FILENO);
	if (!freopen(output, "w", stdout))
		exit(99);
	saved = err_begin();
	ok = verify_module(&fakes, path);
	err_end(saved);
	fflush(stdout);
	dup2(saved_out, STDOUT_FILENO);
	close(saved_out);
	read_back("/out", out, sizeof(out));
	free(path);
	free(output);
	return ok;
}

/* What can be known of a module that is not loaded. */
static void test_verify(void)
{
	static const char disabled[] = "/proc/sys/kernel/modules_disabled", lockdown[] = "/sys/kernel/security/lockdown";
	static const char enforced[] = "/sys/module/module/parameters/sig_enforce";
	char facts[256];

	reset();
	k.may_load = false;
	put_file(disabled, "0\n");
	put_file(lockdown, "[none] integrity confidentiality\n");
	put_file(enforced, "N\n");
	snprintf(facts, sizeof(facts), "module fake\ninterface %d\nkernel 1.2.3\nsignature none\n", KT_ABI);
	ok(verify("/m.ko"), "--verify needs no rights");
	is_str(out, facts, "and prints what the module says of itself");
	is_str(err, "", "and nothing else");
	put_file(enforced, "Y\n");
	ok(!verify("/m.ko"), "a kernel that wants signatures would refuse it");
	has("the kernel would refuse module 'fake'");
	has("sign it with: ktap --sign-module=KEY,CERT");
	ok(verify("/signed.ko"), "one with a signature it would try");
	ok(strstr(out, "signature 104 bytes"), "whose size is printed");
	put_file(enforced, "N\n");
	put_file(disabled, "1\n");
	ok(!verify("/signed.ko"), "a kernel that loads no modules would refuse it");
	has("kernel.modules_disabled is 1");
	put_file(disabled, "0\n");
	put_file("/proc/sys/kernel/osrelease", "9.9.9\n");
	ok(!verify("/m.ko"), "a module of another kernel is refused");
	has("was built for kernel 1.2.3, but 9.9.9 is running");
	put_file("/proc/sys/kernel/osrelease", "1.2.3\n");
	is_int(k.loaded, 0, "nothing is loaded");
}

/* Beside a session of its name a module gets another one, which no signature would match. */
static void test_renamed_signed(void)
{
	struct stat st;

	stat(root_path("/m.ko"), &st);
	put_file("/sys/module/fake/initstate", "live\n");
	put_file("/sys/module/fake/parameters/ktap_state", "running\n");
	reset();
	k.load_error = EEXIST;
	is_int(run((struct session_options){ 0 }, "/signed.ko"), 5, "a signed module runs beside a session of its name");
	ok(k.renamed_size == (size_t)st.st_size, "without its signature");
	is_str(k.removed_names, "fake_2 ", "under another name");
	reset();
	k.load_error = EEXIST;
	k.rename_error = EKEYREJECTED;
	is_int(run((struct session_options){ 0 }, "/signed.ko"), 1, "unless the kernel wants a signature");
	has("a session of this name is running, and without its signature");
	has("build it under another name with: ktap -m NAME --sign-module=KEY,CERT");
	unlink(root_path("/sys/module/fake/parameters/ktap_state"));
	unlink(root_path("/sys/module/fake/initstate"));
}

/* What the name of a module that is loaded means for another session. */
static void test_names_taken(void)
{
	static const char state[] = "/sys/module/fake/parameters/ktap_state";
	static const char initstate[] = "/sys/module/fake/initstate";

	put_file(initstate, "live\n");
	put_file(state, "running\n");
	reset();
	k.load_error = EEXIST;
	is_int(run((struct session_options){ .verbose = true }, "/m.ko"), 5, "a second session of a script runs");
	has("ktaprun: the name 'fake' is taken, this session is module 'fake_2'");
	reset();
	k.load_error = k.rename_error = EEXIST;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "unless all names are taken");
	has("cannot load module 'fake': File exists");
	has("stop it, or name this one with: ktap -m NAME");
	put_file(state, "stopping\n");
	reset();
	k.load_error = EEXIST;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "a session that is ending makes room");
	has("ktaprun: removed module 'fake', which a killed session had left");
	is_str(k.removed_names, "fake fake_2 ", "which is removed first");
	put_file(state, "stays\n");
	reset();
	k.load_error = EEXIST;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "one that cannot be removed is not in the way");
	is_str(k.removed_names, "fake_2 ", "nor waited for");
	unlink(root_path(state));
	reset();
	k.load_error = EEXIST;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "a module of the name that is no session is not in the way");
	is_int(k.loaded, 2, "nor waited for");
	unlink(root_path(initstate));
	reset();
	k.load_error = EEXIST;
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "a session that nobody sees any more is not in the way");
	is_str(k.removed_names, "fake_2 ", "of another name");
}

static void test_images(void)
{
	reset();
	make_module("/other.ko", "license", "1.2.3");
	is_int(run((struct session_options){ 0 }, "/other.ko"), 1, "a module that is not ours is refused");
	has("not one that ktap built");
	make_module("/older.ko", "ktap", "1.2.2");
	is_int(run((struct session_options){ 0 }, "/older.ko"), 1, "a module for another kernel is refused");
	has("was built for kernel 1.2.2, but 1.2.3 is running");
	put_file("/text", "#!/bin/sh\n");
	module_abi = KT_ABI - 1;
	make_module("/abi.ko", "ktap", "1.2.3");
	module_abi = KT_ABI;
	is_int(run((struct session_options){ 0 }, "/abi.ko"), 1, "a module of another version is refused");
	has("module 'fake' was built by another version of ktap: its interface is");
	has("build it again with this ktap");
	is_int(run((struct session_options){ 0 }, "/text"), 1, "any other file is refused");
	has("is not a kernel module");
	is_int(k.loaded, 0, "none of them reached the kernel");
	name_at = 72;
	make_module("/random.ko", "ktap", "1.2.3");
	name_at = 24;
	is_int(run((struct session_options){ 0 }, "/random.ko"), 5, "a module of a kernel with another order of members is loaded");
}

static void test_build_id(void)
{
	/* name and description of NT_GNU_BUILD_ID, in the byte order of the tests' machines */
	static const char note[] = "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\xab\xcd\xef";
	struct text t = { 0 };

	reset();
	put_file("/sys/kernel/notes", "");
	unlink(root_path("/sys/kernel/notes"));
	text_append(&t, note, sizeof(note));
	text_write_file(&t, root_path("/sys/kernel/notes"));
	text_deinit(&t);
	k.build_id = "abcdef";
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "the running kernel's build-id is accepted");
	reset();
	k.build_id = "123456";
	is_int(run((struct session_options){ 0 }, "/m.ko"), 1, "addresses of another build are refused");
	has("build-id in the module 123456, of the running kernel abcdef");
	is_str(out, "", "before anything started");
	is_str(k.removed_names, "fake ", "and the module is removed");
}

/* The member NAME of an archive: the file PATH, below the root. */
static void put_member(struct text *t, const char *name, const char *path)
{
	struct text file = { 0 };

	text_read_file(&file, root_path(path));
	text_printf(t, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0100644, file.len);
	text_append(t, file.buf, file.len);
	if (file.len % 2)
		text_puts(t, "\n");
	text_deinit(&file);
}

/* A bundle of a text, a module of another kernel and one of this kernel, in this order. */
static void make_bundle(const char *path, bool fits)
{
	struct text t = { 0 };

	put_file("/manifest.json", "{}x");
	make_module("/other.ko", "ktap", "9.9.9");
	text_puts(&t, "!<arch>\n");
	put_member(&t, "manifest.json/", "/manifest.json");
	put_member(&t, "other.ko/", "/other.ko");
	if (fits)
		put_member(&t, "m.ko/", "/m.ko");
	text_write_file(&t, root_path(path));
	text_deinit(&t);
}

static void test_bundle(void)
{
	reset();
	put_file("/proc/sys/kernel/osrelease", "1.2.3\n");
	make_bundle("/b.ktap", true);
	is_int(run((struct session_options){ 0 }, "/b.ktap"), 5, "the module of a bundle that is for this kernel runs");
	ok(verify("/b.ktap"), "a bundle is verified");
	ok(strstr(out, "holds 9.9.9\nholds 1.2.3\nmodule fake\n"), "which prints its kernels and the one module");
	make_bundle("/none.ktap", false);
	reset();
	is_int(run((struct session_options){ 0 }, "/none.ktap"), 1, "a bundle without one is refused");
	has("has no module for the running kernel, 1.2.3");
	has("its modules are for 9.9.9");
	put_file("/empty.ktap", "!<arch>\n");
	is_int(run((struct session_options){ 0 }, "/empty.ktap"), 1, "an empty archive is refused");
	put_file("/cut.ktap", "!<arch>\nx");
	is_int(run((struct session_options){ 0 }, "/cut.ktap"), 1, "a cut one too");
	has("is damaged");
	is_int(k.loaded, 0, "nothing was loaded");
}

/* Files cut or changed at every place: image_open() must read nothing outside. ASan is the judge. */
static void test_damaged_images(const char *path)
{
	struct text whole = { 0 }, t = { 0 };
	struct image m;
	int taken = 0;

	text_read_file(&whole, root_path(path));
	if (!freopen(root_path("/ignored"), "w", stderr))
		exit(99);
	for (size_t i = 0; i < whole.len; i++) {
		text_clear(&t);
		text_append(&t, whole.buf, whole.len);
		t.buf[i] = (char)(t.buf[i] ^ 0xff);
		text_write_file(&t, root_path("/bad.ko"));
		if (image_open(&fakes, &m, root_path("/bad.ko"), false)) {
			image_close(&m);
			taken++;
		}
		t.len = i;
		text_write_file(&t, root_path("/bad.ko"));
		if (image_open(&fakes, &m, root_path("/bad.ko"), false))
			image_close(&m);
	}
	ok(taken < (int)whole.len, "damaged modules are refused or read within their bounds");
	text_deinit(&whole);
	text_deinit(&t);
}

static void test_sweep(void)
{
	reset();
	put_file("/proc/modules", "stale 100 0 - Live 0x0\nbusy 100 1 - Live 0x0\nfuse 100 0 - Live 0x0\n");
	put_file("/sys/module/stale/parameters/ktap_state", "stopped\n");
	put_file("/sys/module/busy/parameters/ktap_state", "running\n");
	k.modules = "busy 100 1 - Live 0x0\nfuse 100 0 - Live 0x0\n";
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "a session beside others runs");
	is_str(k.removed_names, "stale fake ", "only what a killed session left is swept away");
	reset();
	k.modules = "busy 100 0 - Live 0x0\nfuse 100 0 - Live 0x0\n";
	is_int(run((struct session_options){ 0 }, "/m.ko"), 5, "another is killed and still dies as this one starts");
	is_str(k.removed_names, "fake busy ", "this one sweeps it away when it ends");
	has("ktaprun: removed module 'busy', which a killed session had left");
	put_file("/proc/modules", "stale 100 0 - Live 0x0\nbusy 100 1 - Live 0x0\nfuse 100 0 - Live 0x0\n");
	reset();
	ok(load_delete(&fakes, "*"), "-d '*' succeeds");
	is_str(k.removed_names, "stale ", "and removes the same");
	reset();
	ok(!load_delete(&fakes, "busy"), "-d of a module in use is refused");
	ok(!load_delete(&fakes, "fuse"), "-d of another's module is refused");
	is_str(k.removed_names, "", "and nothing is removed");
}

/* Whether -d of NAME succeeds; what it says is in err. */
static bool delete(const char *name)
{
	int saved = err_begin();
	bool ok = load_delete(&fakes, name);

	err_end(saved);
	return ok;
}

static void test_delete(void)
{
	reset();
	ok(delete("stale"), "-d of a module that nobody holds succeeds");
	is_str(k.removed_names, "stale ", "and removes it");
	k.remove_error = ENOENT;
	ok(delete("stale"), "also when another ktaprun was quicker");
	k.remove_error = EPERM;
	ok(!delete("stale"), "a module that the kernel keeps is an error");
	has("cannot remove module 'stale': Operation not permitted");
	has("try again later with: ktaprun -d stale");
	put_file("/sys/module/stale/parameters/ktap_state", "stays\n");
	k.remove_error = EAGAIN;
	k.removed = 0;
	ok(!load_remove(&fakes, "stale") && k.removed == 1, "one whose probes the kernel keeps is not waited for");
	ok(!delete("stale"), "nor removed by -d");
	has("cannot remove module 'stale': it stays loaded until the next boot");
	put_file("/sys/module/stale/parameters/ktap_state", "stopped\n");
	ok(!delete("nosuch"), "so is one that is not loaded");
	has("no module 'nosuch' is loaded");
	k.may_load = false;
	ok(!delete("stale"), "-d needs the capability");
	has("removing a module needs root (the capability CAP_SYS_MODULE)");
	put_file("/proc/modules", "");
}

/* Is the value of PYTHONSAFEPATH in the command of -c in the directory DIR WANT? */
static void is_safe_path(const char *dir, const char *want, const char *name)
{
	struct text t = { 0 };
	struct command c;
	int status, fd;

	if (chdir(dir) < 0 || !command_prepare(&c, "sh -c 'echo $PYTHONSAFEPATH >value'", "", NULL, STDOUT_FILENO) || !command_release(&c))
		exit(99);
	waitpid(c.pid, &status, 0);
	c.pid = 0;
	command_stop(&c);
	fd = open("value", O_RDONLY | O_CLOEXEC);
	text_read_fd(&t, fd);
	close(fd);
	is_str(text_str(&t), want, name);
	text_deinit(&t);
	if (chdir("/") < 0)
		exit(99);
}

static void test_python(void)
{
	_cleanup_free_ char *open_dir = xasprintf("%s/open", k.root);

	if (mkdir(open_dir, 0700) < 0 || chmod(open_dir, 0777) < 0)
		exit(99);
	unsetenv("PYTHONSAFEPATH");
	is_safe_path(k.root, "\n", "in a directory of our own, python3 looks there");
	is_safe_path(open_dir, "ktap\n", "but not in one that others can write to");
	setenv("PYTHONSAFEPATH", "own", 1);
	is_safe_path(open_dir, "own\n", "unless the user decides");
	unsetenv("PYTHONSAFEPATH");
}

/* Messages with the name of a file that another user chose: one that a process has mapped, one that is given tables with -v. */
static void test_hostile_names(void)
{
	_cleanup_free_ char *path = xasprintf("%s/a\033[31m\302\233m", k.root);
	struct met one = { .name = path, .end = MET_GIVEN };
	struct stacks given, met = { .met = &one, .n_met = 1, .n_objects = 1 };
	struct printer p;
	struct output o;
	struct control c;
	int saved;

	reset();
	put_file("/a\033[31m\302\233m", "");
	if (!control_open(&c, &fakes, "fake"))
		exit(99);
	c.info.stacks = KT_STACKS_USER;
	saved = err_begin();
	output_init(&o, STDOUT_FILENO);
	print_init(&p, &c, &o);
	report_met(&p, &met);
	stacks_init(&given, &c, path, 0, true, NULL, NULL);
	print_deinit(&p);
	output_deinit(&o);
	stacks_deinit(&given);
	control_close(&c);
	err_end(saved);
	has("To have them from the start: -d");
	has("tables of '");
	has("/a.[31m.m");
	ok(!strchr(err, '\033') && !strstr(err, "\302\233"), "names are shown without control characters");
}

/* Shows the progress twice, the first time after SILENCE seconds. */
static void show_progress(bool verbose, double silence)
{
	struct progress p;
	struct control c;
	int saved;

	reset();
	k.status.probes_found = 7;
	k.status.probes_armed = 3;
	if (!control_open(&c, &fakes, "fake"))
		return;
	saved = err_begin();
	progress_init(&p, verbose);
	p.said -= silence;
	progress_show(&p, &c);
	progress_show(&p, &c);
	err_end(saved);
	control_close(&c);
}

static void test_progress(void)
{
	show_progress(true, 1000);
	is_str(err, "ktaprun: 7 of 10 places found, 3 armed\n", "-v shows how far arming is, not at each call");
	show_progress(true, 0);
	is_str(err, "", "a short start shows nothing");
	show_progress(false, 1000);
	is_str(err, "", "without -v only a terminal gets it");
	reset();
	run((struct session_options){ .verbose = true }, "/m.ko");
	has("ktaprun: 0 places armed, 0 refused, in ");
	has("ktaprun: disarmed in ");
}

int main(void)
{
	_cleanup_free_ char *cleanup = NULL;

	strcpy(k.root, "/tmp/ktap-loader-test-XXXXXX");
	if (!mkdtemp(k.root))
		return 99;
	put_file("/proc/sys/kernel/osrelease", "1.2.3\n");
	put_file("/proc/modules", "");
	put_file("/proc/ktap_fake", "");
	put_file("/proc/vmallocinfo", "");
	put_file("/proc/ktap_fake_2", "");
	make_module("/m.ko", "ktap", "1.2.3");
	make_signed_module("/signed.ko");
	test_plain();
	test_target();
	test_progress();
	test_errors_and_losses();
	test_json();
	test_failures();
	test_refusals();
	test_verify();
	test_renamed_signed();
	test_names_taken();
	test_images();
	test_build_id();
	test_sweep();
	test_delete();
	test_python();
	test_hostile_names();
	test_bundle();
	test_damaged_images("/signed.ko");
	test_damaged_images("/b.ktap");
	cleanup = xasprintf("rm -rf '%s'", k.root);
	return system(cleanup) ? 99 : tap_done();
}
