/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replay: compiles and links a script with the commands that Kbuild recorded when it built the kit.
 *
 * Kbuild leaves in .OBJECT.cmd the shell commands that made OBJECT. They are read as plain words; a command with shell
 * syntax we do not know makes the replay fail, and kbuild.c does the job. Paths of the script's files are exchanged, the
 * rest is run as recorded, in the kernel's build directory: the compiler, objtool where the kernel runs it (per object, or
 * at the link), the two links.
 */
#include "translator/module/build.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/proc.h"

enum {
	MAX_COMMANDS = 8,
	LARGE = 1 << 20, /* bytes of C */
};

/* Words of one simple command. */
struct command {
	const char **argv; /* NULL-terminated */
	int n, cap;
};

/* The commands of one .cmd file, in order. */
struct recipe {
	struct command command[MAX_COMMANDS];
	int n;
};

struct replay {
	const struct kit *kit;
	const char *work;
	struct text *out;
	bool embedded; /* the script has embedded C, which needs the kernel's headers */
	bool large;    /* of thousands of probes: compiling takes longer than optimizing saves; the kernel's headers need the kernel's level */
	bool one_link; /* the module is linked from its objects, without a file in between */
	bool versions; /* versions.c is compiled in place of script.c, and its object is linked too */
	const char *build_id; /* the linker's option: summing up the kit's bytes would take it a third of its time */
};

/* ---- reading .cmd files ---- */
static void add_word(struct command *c, const char *word)
{
	if (c->n + 1 >= c->cap) {
		const char **argv = arena_array(&program_arena, const char *, 2 * c->cap + 64);

		if (c->n)
			memcpy(argv, c->argv, sizeof(*argv) * (size_t)c->n);
		c->argv = argv;
		c->cap = 2 * c->cap + 64;
	}
	c->argv[c->n++] = word;
	c->argv[c->n] = NULL;
}

/* One word from *P in T's spelling, quotes removed and make's escapes undone. False: shell syntax. */
static bool read_word(const char **p, struct text *word)
{
	char quote = 0;

	text_clear(word);
	for (; **p && **p != '\n' && (quote || (!isspace((unsigned char)**p) && **p != ';')); (*p)++) {
		char ch = **p;

		if (!strncmp(*p, "$(pound)", 8)) {
			text_puts(word, "#");
			*p += 7;
		} else if (ch == '$' && (*p)[1] == '$' && quote == '\'') {
			text_puts(word, "$");
			(*p)++;
		} else if (quote) {
			if (ch == quote)
				quote = 0;
			else if (quote == '"' && strchr("$`\\", ch))
				return false;
			else
				text_append(word, &ch, 1);
		} else if (ch == '\'' || ch == '"') {
			quote = ch;
		} else if (ch == '\\' && (*p)[1] && (*p)[1] != '\n') {
			text_append(word, ++*p, 1);
		} else if (strchr("$`|&<>(){}*?[]!#\\", ch)) {
			return false;
		} else {
			text_append(word, &ch, 1);
		}
	}
	return !quote;
}

/* The recorded commands for TARGET of the kit. NULL or what is wrong. */
static const char *read_recipe(const struct replay *r, const char *target, struct recipe *ret)
{
	_cleanup_free_ char *path = xasprintf("%s/.%s.cmd", r->kit->dir, target);
	_cleanup_text_ struct text t = { 0 }, word = { 0 };
	const char *p, *wrong = NULL;

	*ret = (struct recipe){ .n = 1 };
	if (!text_read_file(&t, path))
		return arena_printf(&program_arena, "%s: %s", path, strerror(errno));
	/* First line: "savedcmd_TARGET := COMMANDS" (before v6.2 "cmd_TARGET := ..."). */
	p = strstr(text_str(&t), ":=");
	if (!p || (strncmp(text_str(&t), "savedcmd_", 9) && strncmp(text_str(&t), "cmd_", 4)))
		wrong = arena_printf(&program_arena, "%s: not a record of Kbuild", path);
	for (p = p ? p + 2 : ""; !wrong && *p && *p != '\n';) {
		if (isspace((unsigned char)*p)) {
			p++;
		} else if (*p == ';') {
			p++;
			if (ret->command[ret->n - 1].n && ret->n++ == MAX_COMMANDS)
				wrong = arena_printf(&program_arena, "%s: too many commands", path);
		} else if (!read_word(&p, &word)) {
			wrong = arena_printf(&program_arena, "%s: shell syntax near '%.20s'", path, p);
		} else {
			add_word(&ret->command[ret->n - 1], arena_strdup(&program_arena, text_str(&word)));
		}
	}
	return wrong;
}

/* ---- changing and running ---- */
/* Returns how many words from WORD on the script does without: dependency files, debug info and, if there is no embedded C, the
 * kernel headers in front. */
static int skipped_words(const struct replay *r, const char *word)
{
	if (!strcmp(word, "-include"))
		return r->embedded ? 0 : 2;
	return !strncmp(word, "-Wp,-MMD", 8) || !strncmp(word, "-Wp,-MD", 7) || !strcmp(word, "-g");
}

/* Returns the file of the kit's directory that PATH names, or NULL. Kbuild records absolute names, since v6.13 relative ones. */
static const char *name_in_kit(const struct replay *r, const char *path)
{
	size_t len = strlen(r->kit->dir);

	if (*path != '/')
		return path + (strncmp(path, "./", 2) ? 0 : 2);
	return !strncmp(path, r->kit->dir, len) && path[len] == '/' ? path + len + 1 : NULL;
}

static void add_objects(const struct replay *r, struct command *to)
{
	add_word(to, arena_printf(&program_arena, "%s/kit.o", r->kit->dir));
	add_word(to, arena_printf(&program_arena, "%s/script.o", r->work));
	if (r->versions)
		add_word(to, arena_printf(&program_arena, "%s/versions.o", r->work));
}

/* The file in the work directory that stands for NAME of the kit. */
static const char *our_file(const struct replay *r, const char *name)
{
	bool script = !strncmp(name, "script.", 7);

	return arena_printf(&program_arena, "%s/%s%s", r->work, script && r->versions ? "versions" : "",
			    script && r->versions ? name + 6 : name);
}

/* Adds WORD, with the kit's file of the script replaced by ours. Returns the directory that a replaced relative name is
 * relative to, else CWD. */
static const char *exchange(const struct replay *r, struct command *to, const char *word, const char *cwd)
{
	static const char *const ours[] = { "script.c", "script.o", KIT_NAME ".o", KIT_NAME ".ko", NULL };
	const char *path = word + (*word == '@'), *name = name_in_kit(r, path);

	if (name && (*word == '@' || (r->one_link && !strcmp(name, KIT_NAME ".o")))) { /* the list of the module's objects */
		add_objects(r, to);
		return *path == '/' ? cwd : r->kit->dir;
	}
	for (int i = 0; name && ours[i]; i++)
		if (!strcmp(name, ours[i])) {
			add_word(to, our_file(r, ours[i]));
			return *path == '/' ? cwd : r->kit->dir;
		}
	add_word(to, strcmp(word, "--build-id=sha1") ? word : r->build_id);
	return cwd;
}

/* Runs all commands recorded for TARGET. 0: done; the index from 1 of the one that failed; -1: not to be run. */
static int play(const struct replay *r, const char *target)
{
	const char *const env[] = {
		arena_printf(&program_arena, "SRCARCH=%s", kit_srcarch(r->kit->kernel)), "LC_ALL=C", NULL,
	};
	struct recipe recipe;
	const char *wrong = read_recipe(r, target, &recipe);

	if (wrong) {
		text_puts(r->out, wrong);
		return -1;
	}
	for (int i = 0; i < recipe.n; i++) {
		const struct command *from = &recipe.command[i];
		const char *cwd = r->kit->kernel->build_dir;
		struct command c = { 0 };
		int rc;

		for (int w = 0; w < from->n; w++) {
			int skip = skipped_words(r, from->argv[w]);

			if (skip)
				w += skip - 1;
			else
				cwd = exchange(r, &c, from->argv[w], cwd);
		}
		if (r->large && !i && !strcmp(target, "script.o"))
			add_word(&c, "-O1"); /* the last one counts */
		if (!c.n || !strcmp(c.argv[0], "true") || !strcmp(c.argv[0], ":"))
			continue;
		rc = proc_run(&(struct proc){ .argv = c.argv, .cwd = cwd, .env = env, .out = r->out, .limits = &proc_limits_compiler });
		if (rc) {
			if (rc < 0)
				text_printf(r->out, "%s: %s\n", c.argv[0], strerror(-rc));
			return i + 1;
		}
	}
	return 0;
}

/* Does Kbuild only link the module's objects to one, with nothing done to that but the last link? */
static bool is_plain_link(const struct replay *r)
{
	struct recipe recipe;
	const struct command *c = &recipe.command[0];
	bool relocatable = false;

	if (read_recipe(r, KIT_NAME ".o", &recipe) || recipe.n != 1 || !c->n)
		return false;
	for (int i = 1; i < c->n; i++) {
		const char *word = c->argv[i];

		relocatable |= !strcmp(word, "-r");
		if (!strcmp(word, "-o") || !strcmp(word, "-m") || !strcmp(word, "-z"))
			i++;
		else if (*word != '@' && strcmp(word, "-r") && strcmp(word, "-EL") && strncmp(word, "--no-warn", 9))
			return false;
	}
	return relocatable;
}

/* Returns the option that gives the module a build ID of what it is made of. */
static const char *build_id(const struct kit *kit, const char *c, bool embedded)
{
	struct hash h;

	if (embedded) /* it may include files */
		return "--build-id=sha1";
	hash_init(&h);
	hash_add_str(&h, kit->key);
	hash_add_str(&h, c);
	return arena_printf(&program_arena, "--build-id=0x%s", hash_hex(&h));
}

/* Links the module from the objects of the kit and the script. */
static bool link_module(const struct replay *r)
{
	return (r->one_link || !play(r, KIT_NAME ".o")) && !play(r, KIT_NAME ".ko");
}

/* Gives KO, which is linked, the versions of symbols that the kit does not import: embedded C may call any function of the kernel. */
static enum replay_result add_versions(const struct replay *script, const char *ko)
{
	_cleanup_free_ char *kit_ko = xasprintf("%s/%s.ko", script->kit->dir, KIT_NAME);
	_cleanup_free_ char *c = xasprintf("%s/versions.c", script->work);
	struct replay r = *script;
	enum module_versions kind;
	const char **unknown = module_unknown(ko, kit_ko, &kind);

	if (!unknown || (*unknown && !r.embedded)) {
		text_printf(r.out, "%s has symbols that the kit has not: %s\n", ko, unknown ? *unknown : "unreadable");
		return REPLAY_FAILED;
	}
	if (!*unknown)
		return REPLAY_DONE;
	switch (versions_write(c, r.kit->kernel, unknown, kind, r.out)) {
	case VERSIONS_WRITTEN:
		break;
	case VERSIONS_REFUSED:
		return REPLAY_REFUSED;
	case VERSIONS_UNKNOWN:
		return REPLAY_FAILED;
	}
	r.versions = true;
	r.embedded = false;
	return play(&r, "script.o") || !link_module(&r) ? REPLAY_FAILED : REPLAY_DONE;
}

enum replay_result replay_run(const struct kit *kit, const char *work, const char *c, bool embedded, struct text *out)
{
	_cleanup_free_ char *script = xasprintf("%s/script.c", work);
	_cleanup_free_ char *ko = xasprintf("%s/%s.ko", work, KIT_NAME);
	struct replay r = {
		.kit = kit, .work = work, .out = out, .embedded = embedded,
		.large = !embedded && strlen(c) > LARGE, .build_id = build_id(kit, c, embedded),
	};
	_cleanup_text_ struct text t = { 0 };
	const char *wrong;
	int rc;

	text_puts(&t, c);
	rc = text_write_file(&t, script);
	if (rc) {
		text_printf(out, "%s: %s\n", script, strerror(-rc));
		return REPLAY_FAILED;
	}
	rc = play(&r, "script.o");
	if (rc)
		return rc == 1 ? REPLAY_COMPILE_ERROR : REPLAY_FAILED;
	r.one_link = is_plain_link(&r);
	if (!link_module(&r))
		return REPLAY_FAILED;
	wrong = module_check(ko, kit->kernel);
	if (!wrong)
		return add_versions(&r, ko);
	text_printf(out, "the module is not usable: %s\n", wrong);
	return REPLAY_FAILED;
}
