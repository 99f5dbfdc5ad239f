/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the C text of a script to a module that loads: the kit of a kernel, the script's object, the link.
 *
 * kit.c keeps one compiled kit per kernel in the cache; replay.c compiles and links a script against it with the
 * commands that Kbuild recorded; kbuild.c is the plain road where that fails; cache.c owns the directory.
 */
#ifndef KTAP_MODULE_BUILD_H
#define KTAP_MODULE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/text.h"
#include "translator/debuginfo/target.h"
#include "translator/syntax/ast.h"

/* Compiles and links C, the whole script.c, for the kernel of p->platform. *ret_ko (program_arena): the module's path: with
 * -m NAME it is ./NAME.ko, else a file in the cache. *ret_fd: that file, open for reading; others may be able to exchange
 * ./NAME.ko. False: reported. */
bool build_module(struct program *p, const struct text *c, char **ret_ko, int *ret_fd);
/* The same for --runtime=user: an executable. */
bool build_user(struct program *p, const struct text *c, char **ret_exe);

/* Writes IMAGE, the BPF programs of a script, to a file: ./NAME.bpf with -m NAME, else one in the cache, or, unless it is NAMED, one in memory. As
 * build_module(). */
bool build_image(struct program *p, const struct text *image, bool named, char **ret_path, int *ret_fd);

/* Reports what the compiler says of the script's embedded C, in its OUT, at the script's lines; false: nothing. */
bool embedded_errors(const struct program *p, const struct text *out);
/* Prints what a program said, indented below the error. */
void build_show_output(const struct text *out);

/* ---- cache.c ---- */
/* The cache directory: see cache_path(). NULL: reported. */
const char *cache_dir(void);
/* Makes cache_dir() the directory of all users' kits, for root; any other user keeps his. False: reported. */
bool cache_share(void);
/* Opens the file PATH of the cache for reading and records that it was used. -1: it is absent, empty, or others can write it and
 * it must be made again. */
int cache_open(const char *path);
/* Takes the lock NAME in the cache (blocks); a file descriptor to close, or -errno. */
int cache_lock(const char *name);
/* A new empty directory in the cache for work that is renamed when done. NULL: reported. */
const char *cache_work_dir(void);
/* Keeps modules and what was read below their limits: what is unused for longest goes, so do kits that nobody uses any more.
 * Sweeps work directories of crashed runs. */
void cache_trim(void);

/* Removes the kits of RELEASE but for the directory KEEP. */
void cache_keep_kit(const char *release, const char *keep);

/* A hash of whatever is added: names cache entries. Not for secrets. */
struct hash {
	unsigned __int128 state;
};
void hash_init(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t len);
void hash_add_str(struct hash *h, const char *s); /* with its NUL; NULL is another value than "" */
void hash_add_stat(struct hash *h, const char *path); /* size and time of a file */
/* 32 hex digits, in program_arena. */
const char *hash_hex(const struct hash *h);

/* ---- kit.c ---- */
/* A module's name as Kbuild compiles it in, as long as a name may be; module_set_name() writes the real one over it. */
#define KIT_NAME "ktap_name_is_written_here_ktap_name_is_written_here_kta"

struct kit {
	const struct kernel *kernel;
	const char *dir;    /* the tree, complete */
	const char *key;    /* hash of everything it depends on */
};
enum { KIT_KEY_LENGTH = 16 }; /* of a kit's key, in the name of its directory */
/* The kit for kernel K, one of all users or the user's, built now if need be. False: reported. */
bool kit_open(const struct kernel *k, int verbose, struct kit *ret);
/* --prepare: builds the kit for K, for all users if root asks, and prints its directory. False: reported. */
bool prepare_kit(const struct kernel *k, int verbose);
/* The compiler that Kbuild uses for modules of K: "gcc", or "gcc-12" where the build tree says so. */
const char *kit_compiler(const struct kernel *k);
/* make for an external module in DIR, with the arguments EXTRA (NULL-terminated). Exit status as proc_run(). */
int kit_make(const struct kernel *k, const char *dir, const char *const *extra, struct text *out);
/* Makes the module in DIR with SETTINGS (NULL-terminated, or NULL). Where files do not compile with other flags than the kernel's,
 * they get those. Exit status as proc_run(). */
int kit_make_module(const struct kernel *k, const char *dir, const char *const *settings, struct text *out);
/* A tree in DIR to build from: sources, Kbuild, answers (NULL: Kbuild finds them), C as script.c. 0 or -errno. */
int kit_tree(const char *dir, const char *answers, const char *missing, const char *c);
/* Where the runtime's sources are. */
const char *kit_sources(void);

/* ---- cross.c ---- */
struct machine;
/* The program NAME of the compiler's package for K: "ld", or "aarch64-linux-gnu-ld" where K is of another machine. */
const char *cross_program(const struct kernel *k, const char *name);
/* The value of CONFIG_NAME that the build tree of K was configured with: 1 for y, a number; 0: it is not set. */
int cross_config(const struct kernel *k, const char *name);
/* The program NAME of LLVM: of the version that K was built with, "clang-19", where it is installed, else "clang". */
const char *cross_llvm(const struct kernel *k, const char *name);
/* The linker that K was built with. */
const char *cross_linker(const struct kernel *k);
/* Settings of Kbuild's make that choose compiler and linker for K; how many, at most CROSS_SETTINGS. */
enum { CROSS_SETTINGS = 11 };
int cross_settings(const struct kernel *k, const char **ret);
/* e_machine of PATH, 0 when it is not a program. */
unsigned cross_elf_machine(const char *path);
/* Is there what a build for K needs where K is of another machine, or built with clang? False: reported. */
bool cross_check(const struct kernel *k);

/* ---- lacks.c ---- */
/* Stand-ins for functions that the kernel of a kit lacks; empty for most. */
#define LACKS_FILE "missing.c"
/* Writes stand-ins for the symbols that the module in DIR, which did not link, imports and K does not export. False: scripts of all
 * kinds need one of them, or the build failed for another reason. */
bool lacks_supply(const struct kernel *k, const char *dir);
/* Reports which symbols that the module in DIR imports K does not export, and how it is built to export them. False: it exports all. */
bool lacks_explain(const struct kernel *k, const char *dir);
/* Does the kernel of KIT have what the probes of P need? False: reported. */
bool lacks_check(const struct program *p, const struct kit *kit);

/* The objects that Kbuild linked to the module in DIR but for the script's, NULL at the end. NULL: no list of them is there. */
const char **kit_objects(const char *dir);
/* SRCARCH of Kbuild: x86 for x86_64. */
const char *kit_srcarch(const struct kernel *k);

/* ---- replay.c, kbuild.c: the two roads from C to WORK/KIT_NAME.ko ---- */
enum replay_result {
	REPLAY_DONE,
	REPLAY_COMPILE_ERROR, /* of the script's C: the other road would not help; the compiler's words are in OUT */
	REPLAY_REFUSED,       /* reported: the other road would not help */
	REPLAY_FAILED,        /* OUT says why; plain Kbuild may do it */
};
enum replay_result replay_run(const struct kit *kit, const char *work, const char *c, bool embedded, struct text *out);
bool kbuild_run(const struct kit *kit, const char *work, const char *c, const char *const *settings, struct text *out);

/* ---- sign.c, sign-crypto.c or sign-none.c: --sign-module ---- */
/* Checks key and certificate of OPT and adds to H what the signature depends on. False: reported. */
bool sign_check(const struct build_settings *b, const struct kernel *k, struct hash *h);
/* Signs the module file KO, whose name is final. False: reported. */
bool sign_module(const struct build_settings *b, const struct kernel *k, const char *ko);
/* The same without the kernel's program. DIGEST: "sha256" and the like. */
bool sign_with_libcrypto(const char *digest, const char *key, const char *cert, const char *ko);

/* ---- stack.c: how much stack handlers need ---- */
struct stack_need {
	long long bytes;      /* of a handler and all that it calls, at most */
	const char *function; /* whose frames take most of it, by its name in C; NULL: nothing does */
	int frame, times;     /* bytes of one frame, and how many of them there may be at once */
};
/* Adds up what the handlers in the object SCRIPT need, with the kit's OBJECTS (NULL at the end). SAVED, if not NULL: the file in which
 * stack_save() left what it read of them. NESTING: how deep calls of the script's functions go. LENIENT: it contains C, of whose
 * frames only the known ones count. NULL, or why there is no figure. */
const char *stack_measure(const char *script, const char *const *objects, const char *saved, int nesting, bool lenient,
			  struct stack_need *ret);
/* Reads the kit's OBJECTS once for all scripts, into the file PATH. False: it is not there. */
bool stack_save(const char *const *objects, const char *path);

/* ---- module.c: the finished file ---- */
/* Renames a module from FROM to TO, in its two places: the name field of struct module, and `name=` of .modinfo, both
 * padded with zeros to the length of KIT_NAME. A loader that renames does the same. 0 or -errno. */
int module_set_name(const char *ko, const char *from, const char *to);
/* Writes into a module how many bytes of stack its handlers need. 0 or -errno. */
int module_set_stack(const char *ko, uint32_t bytes);
/* Is KO a module of kernel K? NULL: yes, else what is wrong. */
const char *module_check(const char *ko, const struct kernel *k);
/* Where a module has the versions of the symbols that it imports (CONFIG_MODVERSIONS). */
enum module_versions {
	VERSIONS_NONE,
	VERSIONS_BASIC,    /* in __versions */
	VERSIONS_EXTENDED, /* in __version_ext_crcs and _names (CONFIG_EXTENDED_MODVERSIONS) */
};
/* Returns the symbols that the module or its object imports, sorted, NULL at the end. NULL: it cannot be read. */
const char **module_imports(const char *ko);
/* Returns the symbols that KO imports and KIT_KO does not, NULL at the end, and in RET what KIT_KO has of versions. NULL: one of them
 * cannot be read. */
const char **module_unknown(const char *ko, const char *kit_ko, enum module_versions *ret);

/* ---- versions.c: symbols that embedded C imports over and above those of the kit ---- */
enum versions_result {
	VERSIONS_WRITTEN,
	VERSIONS_UNKNOWN, /* Kbuild may do it; OUT says why */
	VERSIONS_REFUSED, /* the kernel does not export one of them: reported */
};
/* Returns where SYMBOL is in TABLE, the text of Module.symvers: at the tab before its name. NULL: the kernel does not export it. */
const char *versions_find(const char *table, const char *symbol);
/* Writes C that adds the versions of SYMBOLS to a module, from Module.symvers of K's build tree. */
enum versions_result versions_write(const char *path, const struct kernel *k, const char *const *symbols,
				    enum module_versions kind, struct text *out);

#endif
