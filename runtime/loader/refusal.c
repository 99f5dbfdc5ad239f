/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why the kernel refused to load a module, and the next step.
 *
 * One errno has several causes: /proc and /sys show which of them holds. Each cause is a note that names it and a note that
 * says what to do.
 */
#include "runtime/loader/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/diag.h"

static const struct loc nowhere;

static bool file_says(const struct loader_sys *sys, const char *path, const char *text)
{
	_cleanup_free_ char *line = sys_read_line(sys, path);

	return line && !strcmp(line, text);
}

/* The level of lockdown, the word in brackets of "none [integrity] confidentiality", to be freed; NULL: none. */
static char *lockdown_level(const struct loader_sys *sys)
{
	_cleanup_free_ char *line = sys_read_line(sys, "/sys/kernel/security/lockdown");
	const char *from = line ? strchr(line, '[') : NULL;
	const char *to = from ? strchr(from, ']') : NULL;

	if (!to || !strncmp(from, "[none]", 6))
		return NULL;
	return xasprintf("%.*s", (int)(to - from - 1), from + 1);
}

/* Is the process in a user namespace of a container? The first one maps all ids to themselves. */
static bool is_in_namespace(const struct loader_sys *sys)
{
	_cleanup_free_ char *map = sys_read_line(sys, "/proc/self/uid_map");
	unsigned long inside, outside, n;

	return map && (sscanf(map, "%lu %lu %lu", &inside, &outside, &n) != 3 || inside || outside || n != 0xffffffff);
}

/* The way to a signature that the kernel accepts. */
static void say_how_to_sign(const struct image *m)
{
	if (m->signature)
		note(nowhere, "enroll the certificate that it was signed with: mokutil --import CERT.der, and reboot; see "
			      "SIGNED MODULES in man ktap");
	else
		note(nowhere, "sign it with: ktap --sign-module=KEY,CERT; see SIGNED MODULES in man ktap");
}

static void explain_permission(const struct loader_sys *sys, const struct image *m)
{
	_cleanup_free_ char *lockdown = lockdown_level(sys);

	if (file_says(sys, "/proc/sys/kernel/modules_disabled", "1")) {
		note(nowhere, "kernel.modules_disabled is 1: no module can be loaded until the next boot");
		note(nowhere, "reboot without that setting, which sysctl.conf or an early service makes");
	} else if (lockdown) {
		note(nowhere, "the kernel is locked down (%s), as with Secure Boot, and loads only modules with a signature that "
			      "it trusts; this one %s", lockdown, m->signature ? "is signed with another key" : "is not signed");
		say_how_to_sign(m);
	} else if (is_in_namespace(sys)) {
		note(nowhere, "this process is in a user namespace, as in a container: its CAP_SYS_MODULE does not count for the "
			      "kernel");
		note(nowhere, "run ktaprun as root outside of the container");
	} else {
		note(nowhere, "a security module (SELinux, AppArmor, LoadPin) or a seccomp filter may forbid it: look at the end "
			      "of dmesg and at the audit log");
	}
}

static void explain_signature(const struct image *m, int err)
{
	if (!m->signature)
		note(nowhere, "the kernel loads only signed modules (module.sig_enforce), and this one is not signed");
	else if (err == EBADMSG)
		note(nowhere, "its signature is damaged");
	else if (err == EKEYEXPIRED)
		note(nowhere, "the certificate of its signature has expired");
	else
		note(nowhere, "the kernel does not trust the key that it was signed with, or the file was changed after that");
	if (m->signature && err == EBADMSG)
		note(nowhere, "build and sign it again with: ktap --sign-module=KEY,CERT");
	else
		say_how_to_sign(m);
}

void refusal_explain(const struct loader_sys *sys, const struct image *m, int err)
{
	switch (err) {
	case EPERM:
	case EACCES:
		explain_permission(sys, m);
		break;
	case ENOKEY:
	case EKEYREJECTED:
	case EKEYEXPIRED:
	case EBADMSG:
		explain_signature(m, err);
		break;
	case EEXIST:
		note(nowhere, "a session of this name is running: stop it, or name this one with: ktap -m NAME");
		return;
	case ENOEXEC:
		note(nowhere, "the running kernel is %s, but it was built with other options than the headers that the module was "
			      "built with: the end of dmesg names the difference", m->release);
		note(nowhere, "bring kernel and headers to the same package version, reboot if need be, and build it again");
		break;
	case ENOENT:
		note(nowhere, "the kernel lacks a symbol that the module needs: see the end of dmesg");
		break;
	case ENOSYS:
		note(nowhere, "this kernel is built without modules");
		break;
	case ENOMEM:
		note(nowhere, "the buffers or arrays of the script are too large: lower -s, MAXMAPENTRIES or array sizes");
		return;
	default:
		note(nowhere, "the kernel may have said why: see the end of dmesg");
		return;
	}
	note(nowhere, "the script runs without any of this in a virtual machine: ktap --vm");
}

bool refusal_unlikely(const struct loader_sys *sys, const struct image *m)
{
	_cleanup_free_ char *lockdown = lockdown_level(sys);
	bool signed_only = lockdown || file_says(sys, "/sys/module/module/parameters/sig_enforce", "Y");

	if (file_says(sys, "/proc/sys/kernel/modules_disabled", "1")) {
		error(nowhere, DIAG_RUN, "the kernel would refuse module '%s'", m->name);
		refusal_explain(sys, m, EPERM);
		return false;
	}
	if (signed_only && !m->signature) {
		error(nowhere, DIAG_RUN, "the kernel would refuse module '%s'", m->name);
		refusal_explain(sys, m, lockdown ? EPERM : ENOKEY);
		return false;
	}
	return true;
}
