/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options that no kind of options.def covers. */
#include "cli/option-values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/host.h"
#include "cli/options.h"
#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/vec.h"
#include "runtime/options.h"
#include "translator/machine/machine.h"

/* ---- forms ---- */
void option_append(const char ***list, const char *s)
{
	const char **longer;
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	longer = arena_array(&program_arena, const char *, n + 2);
	if (n)
		memcpy(longer, *list, n * sizeof(*longer));
	longer[n] = s;
	*list = longer;
}

bool parse_int(const char *s, int min, int max, int *ret)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(s, &end, 10);
	if (errno || end == s || *end || v < min || v > max)
		return false;
	*ret = (int)v;
	return true;
}

/* NAME=VALUE, or NAME alone where no value is needed. VALUE: letters, digits and EXTRA; anything when EXTRA is NULL. */
static bool is_named_value(const char *s, const char *extra, bool value_needed)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	if (!*s)
		return !value_needed;
	if (*s++ != '=' || !*s)
		return false;
	for (; extra && *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr(extra, *s))
			return false;
	return true;
}

bool is_setting(const char *v)
{
	return is_named_value(v, NULL, true);
}

bool is_module_name(const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0 && n < 56 - 4; /* MODULE_NAME_LEN, with space for a suffix */
}

bool is_rotation(const char *s)
{
	size_t n = strspn(s, "0123456789");

	if (!n || n > 9 || !atoi(s))
		return false;
	s += n;
	if (*s++ != ',')
		return !s[-1];
	n = strspn(s, "0123456789");
	return n && n <= 9 && atoi(s) && !s[n];
}

bool is_seconds(const char *v)
{
	double seconds;

	return kt_seconds(v, &seconds);
}

/* ---- options ---- */
bool set_script_text(struct options *opt, const char *v)
{
	if (opt->script_text)
		return usage_error("-e may be given once; -E adds more text");
	opt->script_text = v;
	return true;
}

bool add_define(struct options *opt, const char *v)
{
	option_append(&opt->defines, v);
	return is_named_value(v, "-_", false) || usage_error("-D needs NAME or NAME=VALUE, not '%s'", v);
}

bool add_make(struct options *opt, const char *v)
{
	int n = 0;

	for (const char **m = opt->make; m && *m; m++)
		n++;
	if (n == MAKE_SETTINGS_MAX)
		return usage_error("-B may be given %d times", n);
	option_append(&opt->make, v);
	return is_setting(v) || usage_error("-B needs NAME=VALUE, not '%s'", v);
}

bool add_release(struct options *opt, const char *v)
{
	*vec_add(opt->releases, opt->n_releases) = opt->release = v;
	return true;
}

bool set_prepare(struct options *opt, const char *v)
{
	opt->prepare = true;
	opt->release = v ? v : opt->release;
	return true;
}

bool set_vm(struct options *opt, const char *v)
{
	opt->vm = true;
	opt->vm_release = v;
	return true;
}

bool set_vm_exec(struct options *opt, const char *v)
{
	opt->vm = true;
	opt->vm_exec = v;
	return true;
}

bool add_remote(struct options *opt, const char *v)
{
	return remote_host_add(&opt->remotes, &opt->n_remotes, v);
}

bool add_hosts(struct options *opt, const char *v)
{
	return remote_host_add_file(&opt->remotes, &opt->n_remotes, v);
}

bool set_format(struct options *opt, const char *v)
{
	int n;

	if (!option_word("format", "text|json", v, &n))
		return false;
	opt->json = n == 1;
	return true;
}

bool set_list(struct options *opt, const char *v)
{
	opt->list = v;
	opt->list_variables = false;
	return true;
}

bool set_list_variables(struct options *opt, const char *v)
{
	opt->list = v;
	opt->list_variables = true;
	return true;
}

bool set_tmpdir(struct options *opt, const char *v)
{
	return set_temporary(v);
}

/* ---- what diagnostics do ---- */
bool suppress_warnings(struct options *opt, const char *v)
{
	diag_process()->no_warnings = true;
	return true;
}

bool refuse_warnings(struct options *opt, const char *v)
{
	diag_process()->warnings_are_errors = true;
	return true;
}

bool keep_catalog(struct options *opt, const char *v)
{
	diag_process()->keeps_catalog = true;
	return true;
}

/* On a terminal, unless the environment says no. */
bool option_may_color(void)
{
	const char *colors = getenv("SYSTEMTAP_COLORS");
	const char *term = getenv("TERM");

	return (!colors || diag_set_colors(diag_process(), colors)) && isatty(2) && !getenv("NO_COLOR") && (!term || strcmp(term, "dumb"));
}

bool set_color(struct options *opt, const char *value)
{
	int when = 1;

	if (value && !option_word("color", "auto|always|never", value, &when))
		return false;
	diag_process()->color = when == 1 || (when == 0 && option_may_color());
	return true;
}

/* Milliseconds from a tenth of a second to a day. */
static bool set_period(struct options *opt, const char *option, const char *value)
{
	char *end;
	double s = strtod(value, &end);

	if (end == value || *end || !(s >= 0.1) || s > 86400)
		return usage_error("--%s needs 0.1 to 86400 seconds, not '%s'", option, value);
	opt->snapshot_ms = (int)(s * 1000 + 0.5);
	return true;
}

bool set_snapshots(struct options *opt, const char *v)
{
	return set_period(opt, "snapshots", v);
}

bool set_monitor(struct options *opt, const char *v)
{
	opt->live.monitor = true;
	return !v || set_period(opt, "monitor", v);
}

/* Debugging information comes from the servers of debuginfod, when their addresses are set. */
bool set_download(struct options *opt, const char *v)
{
	int seconds;

	if (!v || !strcmp(v, "yes") || !strcmp(v, "ask"))
		return true;
	if (!strcmp(v, "no"))
		return !unsetenv("DEBUGINFOD_URLS");
	if (!parse_int(v, 1, INT_MAX, &seconds))
		return usage_error("--download-debuginfo needs yes, no, ask or seconds, not '%s'", v);
	return !setenv("DEBUGINFOD_TIMEOUT", v, 1);
}

bool set_machine(struct options *opt, const char *v)
{
	opt->machine = machine_find(v);
	return opt->machine || usage_error("-a: unknown architecture '%s'; expected %s", v, machine_list());
}

bool check_privilege(struct options *opt, const char *v)
{
	return !strcmp(v, "stapdev") || usage_error("--privilege=%s: only root loads modules; --vm needs no privileges", v);
}

/* The key may be a URI with commas: the certificate is after the last one. */
bool set_signature(struct options *opt, const char *v)
{
	const char *comma = strrchr(v, ',');

	if (!comma || comma == v || !comma[1])
		return usage_error("--sign-module needs KEY,CERT, a private key and its certificate, not '%s'", v);
	opt->sign_key = arena_printf(&program_arena, "%.*s", (int)(comma - v), v);
	opt->sign_cert = comma + 1;
	return true;
}

/* Limits that cannot be reached. A limit that -D sets as well is the one that stands last. */
bool lift_time_limits(struct options *opt, const char *v)
{
	option_append(&opt->defines, "MAXACTION=2147483647");
	option_append(&opt->defines, "MAXTRYLOCK=2147483647");
	opt->endless = true;
	return true;
}

bool lift_error_limits(struct options *opt, const char *v)
{
	option_append(&opt->defines, "MAXERRORS=2147483647");
	option_append(&opt->defines, "MAXSKIPPED=2147483647");
	return true;
}

bool set_pass_verbose(struct options *opt, const char *v)
{
	size_t n = strspn(v, "0123456789");

	if (!n || n > 5 || v[n])
		return usage_error("--vp needs one to five digits, not '%s'", v);
	for (; *v; v++)
		if (*v - '0' > opt->verbose)
			opt->verbose = *v - '0';
	return true;
}

/* -d: a path, or a program in PATH. Another bare word is the kernel or a module of it: their symbols are always there. */
bool add_object(struct options *opt, const char *name)
{
	const char *dirs = getenv("PATH");
	char full[PATH_MAX];

	if (strchr(name, '/')) {
		if (!realpath(name, full))
			return usage_error("-d: '%s': %s", name, strerror(errno));
		option_append(&opt->objects, arena_strdup(&program_arena, full));
		return true;
	}
	for (const char *d = dirs ? dirs : ""; *d;) {
		size_t n = strcspn(d, ":");

		if (realpath(arena_printf(&program_arena, "%.*s/%s", (int)n, d, name), full)) {
			option_append(&opt->objects, arena_strdup(&program_arena, full));
			return true;
		}
		d += n + (d[n] == ':');
	}
	return true;
}
