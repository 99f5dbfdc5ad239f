/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signing modules: libcrypto appends byte for byte what the kernel's own sign-file does. Bad keys are reported. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "testsuite/unit/tap.h"
#include "translator/debuginfo/kernel.h"
#include "translator/module/build.h"

static char root[] = "/tmp/ktap-sign-test-XXXXXX";

static const char *file(const char *name)
{
	return arena_printf(&program_arena, "%s/%s", root, name);
}

static void put(const char *name, const char *content)
{
	struct text t = { 0 };

	text_puts(&t, content);
	if (text_write_file(&t, file(name)) < 0)
		exit(99);
	text_deinit(&t);
}

static bool run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static bool run(const char *fmt, ...)
{
	va_list ap;
	char *command;

	va_start(ap, fmt);
	command = arena_vprintf(&program_arena, fmt, ap);
	va_end(ap);
	return system(arena_printf(&program_arena, "cd %s && { %s; } >>log 2>&1", root, command)) == 0;
}

static bool make_key(const char *name)
{
	return run("openssl req -new -x509 -newkey rsa:2048 -sha256 -days 100 -noenc -subj /CN=%s/ -keyout %s.pem -out %s.crt",
		   name, name, name) &&
	       run("openssl x509 -in %s.crt -outform DER -out %s.der", name, name);
}

/* stderr of the diagnostics that are expected goes away. */
static bool signing_fails(const char *digest, const char *key, const char *cert)
{
	int saved = dup(2), null = open("/dev/null", O_WRONLY), before = diag_errors(NULL);
	bool good;

	dup2(null, 2);
	put("bad.ko", "module");
	good = sign_with_libcrypto(digest, file(key), file(cert), file("bad.ko"));
	dup2(saved, 2);
	close(saved);
	close(null);
	return !good && diag_errors(NULL) == before + 1 && run("test \"$(cat bad.ko)\" = module");
}

/* The sign-file of some installed build tree; NULL: none. */
static const char *some_sign_file(void)
{
	struct text t = { 0 };
	const char *path = NULL;

	if (run("set -- /lib/modules/*/build/scripts/sign-file; test -x $1 && printf %%s $1 >sign-file") &&
	    text_read_file(&t, file("sign-file")))
		path = arena_strdup(&program_arena, text_str(&t));
	text_deinit(&t);
	return path;
}

int main(void)
{
	const char *sign_file;
	struct kernel_kept kept = { 0 };
	struct kernel k = { .release = "none", .build_dir = root, .machine = &machine_x86_64, .kept = &kept };
	struct build_settings options = { 0 };

	if (!mkdtemp(root))
		return 99;
	ok(make_key("one") && make_key("other"), "keys can be made with openssl");
	options.sign_key = file("one.pem");
	options.sign_cert = file("one.der");
	put("pem.ko", "not really a module");
	put("der.ko", "not really a module");
	put("kernel.ko", "not really a module");
	ok(sign_with_libcrypto("sha256", file("one.pem"), file("one.crt"), file("pem.ko")), "a certificate in PEM");
	ok(sign_module(&options, &k, file("der.ko")), "one in DER, and a build tree without sign-file");
	ok(run("cmp pem.ko der.ko && tail -n 1 der.ko | grep -a -q '~Module signature appended~'"), "sign the same way");
	sign_file = some_sign_file();
	if (sign_file)
		ok(run("%s sha256 one.pem one.crt kernel.ko && cmp kernel.ko pem.ko", sign_file), "as the kernel's sign-file");
	ok(signing_fails("sha256", "other.pem", "one.crt"), "a key that is not the certificate's is refused");
	ok(signing_fails("sha256", "nosuch.pem", "one.crt"), "a key that is not there is refused");
	ok(signing_fails("sha256", "one.pem", "one.pem"), "a certificate that is none is refused");
	ok(signing_fails("sha0", "one.pem", "one.crt"), "an unknown digest is refused");
	ok(run("openssl rsa -aes128 -passout pass:secret -in one.pem -out locked.pem"), "a key with a passphrase");
	ok(signing_fails("sha256", "locked.pem", "one.crt"), "is refused without it, nobody is asked");
	setenv("KBUILD_SIGN_PIN", "secret", 1);
	put("locked.ko", "not really a module");
	ok(sign_with_libcrypto("sha256", file("locked.pem"), file("one.crt"), file("locked.ko")) && run("cmp locked.ko pem.ko"),
	   "and taken with it");
	run("rm -rf %s", root);
	return tap_done();
}
