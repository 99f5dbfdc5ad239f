/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plain road: Kbuild makes the whole module, kit and script, from sources in the work directory. Seconds instead of a
 * tenth, but it needs nothing to be understood.
 */
#include "translator/module/build.h"

#include <errno.h>
#include <string.h>

#include "lib/arena.h"

bool kbuild_run(const struct kit *kit, const char *work, const char *c, const char *const *settings,
		struct text *out)
{
	_cleanup_free_ char *path = xasprintf("%s/kconf.h", kit->dir);
	_cleanup_free_ char *ko = xasprintf("%s/%s.ko", work, KIT_NAME);
	_cleanup_free_ char *lacks = xasprintf("%s/" LACKS_FILE, kit->dir);
	_cleanup_text_ struct text answers = { 0 }, missing = { 0 };
	const char *wrong = NULL;
	int rc = text_read_file(&answers, path) && text_read_file(&missing, lacks) ? 0 : -errno;

	if (!rc)
		rc = kit_tree(work, text_str(&answers), text_str(&missing), c);
	if (rc) {
		text_printf(out, "cannot prepare %s: %s\n", work, strerror(-rc));
		return false;
	}
	rc = kit_make_module(kit->kernel, work, settings, out);
	if (!rc)
		wrong = module_check(ko, kit->kernel);
	if (wrong)
		text_printf(out, "the module is not usable: %s\n", wrong);
	return !rc && !wrong;
}
