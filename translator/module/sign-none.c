/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In place of sign-crypto.c where ktap is built without libcrypto. */
#include "lib/packages.h"
#include "translator/module/build.h"

bool sign_with_libcrypto(const char *digest, const char *key, const char *cert, const char *ko)
{
	error(nowhere, DIAG_SIGN, "cannot sign the module: the kernel's build tree has no scripts/sign-file, and this ktap was "
	      "built without libcrypto");
	note(nowhere, "install the whole build tree of the kernel, or build ktap with libcrypto:");
	package_rebuild_note(NULL, PACKAGE_LIBCRYPTO);
	return false;
}
