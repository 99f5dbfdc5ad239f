/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The archive begins with ARMAG. Each member is a header, its bytes, and a newline where their number is odd. Members of GNU ar
 * whose names begin with '/' and have no number are tables. Nothing in the file is trusted: sizes are checked against its size.
 */
#include "runtime/loader/bundle.h"

#include <ar.h>
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/text.h"

bool bundle_is(struct span file)
{
	return file.size >= SARMAG && !memcmp(file.at, ARMAG, SARMAG);
}

/* Takes the first member from REST, which must not be empty. False: it is damaged. */
static bool take_member(struct span *rest, struct span *ret)
{
	const struct ar_hdr *h = (const void *)rest->at;
	size_t size = 0;

	if (rest->size < sizeof(*h) || memcmp(h->ar_fmag, ARFMAG, sizeof(h->ar_fmag)))
		return false;
	for (size_t i = 0; i < sizeof(h->ar_size) && isdigit((unsigned char)h->ar_size[i]); i++)
		size = size * 10 + (size_t)(h->ar_size[i] - '0');
	if (size > rest->size - sizeof(*h))
		return false;
	*ret = (struct span){ rest->at + sizeof(*h), size };
	size += sizeof(*h);
	size += size % 2 && size < rest->size;
	*rest = (struct span){ rest->at + size, rest->size - size };
	return true;
}

static bool take_module(struct image *m, const struct image *found, struct span module, const char *path)
{
	int fd = memory_file("ktap-module", module.at, module.size); /* nobody else can change it */

	if (fd < 0)
		return error(nowhere, DIAG_RUN, "cannot copy a module of '%s': %s", path, strerror(-fd));
	close(m->fd);
	*m = *found;
	m->fd = fd;
	return true;
}

/* Is the module for the kernel RUNNING, or for no kernel that is known? */
static bool fits(const struct image *m, const char *running)
{
	return !running || !strcmp(m->release, running);
}

static bool none_fits(const char *path, const char *running, const char *kernels)
{
	error(nowhere, DIAG_RUN, "'%s' has no module for the running kernel, %s", path, running ? running : "whose release is not known");
	if (*kernels)
		note(nowhere, "its modules are for%s", kernels);
	note(nowhere, "build it for this one too: ktap --bundle=FILE -r %s SCRIPT", running ? running : "RELEASE");
	return false;
}

/* Relocatable files are modules. The bundle may have programs, too. */
static bool is_object(struct span member)
{
	Elf64_Ehdr head;

	if (member.size < sizeof(head) || memcmp(member.at, ELFMAG, SELFMAG))
		return false;
	memcpy(&head, member.at, sizeof(head));
	return head.e_type == ET_REL;
}

bool bundle_choose(const struct loader_sys *sys, struct image *m, struct span file, const char *path, bool list)
{
	_cleanup_free_ char *running = sys_read_line(sys, "/proc/sys/kernel/osrelease");
	struct span rest = { file.at + SARMAG, file.size - SARMAG }, member;
	_cleanup_text_ struct text kernels = { 0 };
	bool found = false, ok = true;

	while (ok && rest.size) {
		_cleanup_free_ unsigned char *aligned = NULL;
		struct image part = { .fd = -1 };

		ok = take_member(&rest, &member) || error(nowhere, DIAG_RUN, "'%s' is damaged: its members do not fit into it", path);
		if (!ok || !is_object(member))
			continue;
		aligned = xmalloc(member.size);
		memcpy(aligned, member.at, member.size);
		member.at = aligned;
		ok = image_read(&part, member, path);
		text_printf(&kernels, "%s %s", kernels.len ? "," : "", part.release);
		if (ok && list)
			printf("holds %s\n", part.release);
		if (!ok || found || !fits(&part, running))
			image_close(&part);
		else
			ok = found = take_module(m, &part, member, path);
	}
	return ok && (found || none_fits(path, running, text_str(&kernels)));
}
