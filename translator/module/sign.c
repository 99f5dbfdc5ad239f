/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --sign-module: signs a finished module with the kernel's own scripts/sign-file or, where its build tree lacks that program,
 * with libcrypto (sign-crypto.c). Both read the private key where it is: no copy of it is written anywhere.
 */
#include "translator/module/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"

/* sign-file and libcrypto can take a key from a token, by the URI of RFC 7512. */
static bool is_on_token(const char *key)
{
	return !strncmp(key, "pkcs11:", strlen("pkcs11:"));
}

bool sign_check(const struct build_settings *b, const struct kernel *k, struct hash *h)
{
	_cleanup_text_ struct text cert = { 0 };

	if (!text_read_file(&cert, b->sign_cert)) {
		return error(nowhere, DIAG_SIGN, "cannot read the certificate '%s'", b->sign_cert);
	}
	hash_add(h, text_str(&cert), cert.len);
	if (!is_on_token(b->sign_key) && access(b->sign_key, R_OK) < 0)
		return error(nowhere, DIAG_SIGN, "cannot read the private key '%s'", b->sign_key);
	hash_add_str(h, b->sign_key);
	hash_add_stat(h, b->sign_key);
	if (!kernel_config(k, "CONFIG_MODULE_SIG"))
		warning(nowhere, DIAG_SIGN, "kernel %s does not check signatures of modules: CONFIG_MODULE_SIG is not set",
			k->release);
	return true;
}

/* The algorithm that the kernel signs its own modules with: it is built in. */
static const char *digest_of(const struct kernel *k)
{
	const char *value = kernel_config(k, "CONFIG_MODULE_SIG_HASH");
	size_t len = value ? strcspn(value + (*value == '"'), "\"") : 0;

	return len ? arena_printf(&program_arena, "%.*s", (int)len, value + (*value == '"')) : "sha256";
}

static bool run_sign_file(const char *program, const char *digest, const char *key, const char *cert, const char *ko)
{
	_cleanup_text_ struct text out = { 0 };
	const struct proc p = { .argv = (const char *const[]){ program, digest, key, cert, ko, NULL }, .out = &out };
	int status = proc_run(&p);

	if (status) {
		error(nowhere, DIAG_SIGN, "'%s' failed: %s", program,
		      status < 0 ? strerror(-status) : "it could not sign the module");
		build_show_output(&out);
		note(nowhere, "it signed with key '%s' and certificate '%s'; the key's passphrase is read from "
			      "KBUILD_SIGN_PIN", key, cert);
	}
	return !status;
}

bool sign_module(const struct build_settings *b, const struct kernel *k, const char *ko)
{
	_cleanup_free_ char *program = xasprintf("%s/scripts/sign-file", k->build_dir ? k->build_dir : "");

	if (access(program, X_OK) == 0)
		return run_sign_file(program, digest_of(k), b->sign_key, b->sign_cert, ko);
	return sign_with_libcrypto(digest_of(k), b->sign_key, b->sign_cert, ko);
}
