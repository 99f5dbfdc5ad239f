/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences between kernels, each behind one function of our own name. The only file of the kit with #if; the
 * answers KCONF_NAME come from kconf/NAME.c (1: it compiled), never from a version number.
 *
 * To add one: a file in kconf/, its use here, newest kernel first.
 */
#ifndef KT_KIT_COMPAT_H
#define KT_KIT_COMPAT_H

#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/netfilter.h>
#include <linux/mm_types.h>
#include <linux/net.h>
#include <linux/pagemap.h>
#include <linux/perf_event.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/trace_clock.h>
#include <linux/tracepoint.h>
#include <net/net_namespace.h>
#if __has_include(<linux/panic.h>) /* v5.14 moved panic() there */
#include <linux/panic.h>
#else
#include <linux/kernel.h>
#endif
#if __has_include(<linux/hex.h>) /* bin2hex() and hex2bin(), which kernel.h no longer has in v7.3 */
#include <linux/hex.h>
#endif
#if __has_include(<linux/stdarg.h>) /* v5.15 */
#include <linux/stdarg.h>
#else
#include <stdarg.h>
#endif

/* The address of the code that hooked returns go to; 0: not known. The symbol was renamed in v5.16 (adf8a61a940c) and on
 * x86 in v5.18 (73f9b911faa7). */
extern unsigned long kt_return_hook;
#define KT_RETURN_HOOK_NAMES "arch_rethook_trampoline", "__kretprobe_trampoline", "kretprobe_trampoline"

/* Returns where the current task's innermost call goes on whose return is hooked by a kretprobe, and whose stack pointer at the entry
 * was at least LOWEST. Without such a call: ADDRESS. A function with several kretprobes has an instance of each; the oldest has the
 * caller's address. */
static inline unsigned long kt_kretprobe_caller(unsigned long lowest, unsigned long address)
{
#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK) && KCONF_KRETPROBE_OF
	const void *frame = NULL;

	for (struct llist_node *node = current->kretprobe_instances.first; node; node = node->next) {
		const struct kretprobe_instance *ri = container_of(node, struct kretprobe_instance, llist);

		if ((unsigned long)ri->fp < lowest)
			continue;
		if (frame && frame != ri->fp)
			break;
		frame = ri->fp;
		address = (unsigned long)ri->ret_addr;
	}
#endif
	return address;
}

/* The addresses of the graph tracer's return handler and of the kernel's ftrace_graph_ret_addr(), which is not exported; 0: not known. */
extern unsigned long kt_graph_hook, kt_graph_lookup;

/* Returns where a call that returned goes on. The graph tracer may have replaced ADDRESS, which the return hook found in SLOT, by its own:
 * its shadow stack has the other. Context: any. */
static inline unsigned long kt_graph_recover(unsigned long address, unsigned long *slot)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	int index = 0;

	if (unlikely(kt_graph_lookup && address == kt_graph_hook))
		address = ((typeof(&ftrace_graph_ret_addr))kt_graph_lookup)(current, &index, address, slot);
#endif
	return address;
}

/* Where a walk through the stack begins, seen from a function. */
enum kt_walk_from { KT_FROM_ENTRY, KT_FROM_RETURN, KT_FROM_INSIDE };

#if defined(CONFIG_X86_64)
#include "runtime/arch/x86_64.h"
#elif defined(CONFIG_ARM64)
#include "runtime/arch/aarch64.h"
#else
#error "ktap has no runtime/arch header for this architecture"
#endif

struct ftrace_regs;
struct uprobe;

/* Registers at a function's entry as ftrace passes them: those of KT_ARCH_FTRACE_REGISTERS, or all that were asked for. */
#if KCONF_FTRACE_REGS_ARCH /* struct ftrace_regs became opaque in v6.13, and in stable 6.12 */
enum { KT_HAS_FTRACE = 1 };
static __always_inline const struct pt_regs *kt_ftrace_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}
#elif KCONF_FTRACE_REGS /* d19ad0775dcd put pt_regs into ftrace_regs in v5.11; without, entries are probed by kprobe */
enum { KT_HAS_FTRACE = 1 };
static __always_inline const struct pt_regs *kt_ftrace_regs(struct ftrace_regs *fregs)
{
	return &fregs->regs;
}
#elif KCONF_FTRACE_REGS_LR || KCONF_FTRACE_REGS_ARCH_LR /* arm64: not a struct pt_regs, so a copy of it on the stack */
enum { KT_HAS_FTRACE = 1 };
#if KCONF_FTRACE_REGS_ARCH_LR
#define KT_FREGS(fregs) arch_ftrace_regs(fregs)
#else
#define KT_FREGS(fregs) (fregs)
#endif
static __always_inline const struct pt_regs *kt_ftrace_copy(struct ftrace_regs *fregs, struct pt_regs *ret)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(KT_FREGS(fregs)->regs); i++)
		ret->regs[i] = KT_FREGS(fregs)->regs[i];
	ret->regs[29] = KT_FREGS(fregs)->fp;
	ret->regs[30] = KT_FREGS(fregs)->lr;
	ret->sp = KT_FREGS(fregs)->sp;
	ret->pc = KT_FREGS(fregs)->pc;
	ret->pstate = PSR_MODE_EL1h;
	return ret;
}
#define kt_ftrace_regs(fregs) kt_ftrace_copy(fregs, &(struct pt_regs){ 0 })
#else
enum { KT_HAS_FTRACE = 0 };
#define kt_ftrace_func(fn) ((void *)(fn)) /* never called */
static __always_inline const struct pt_regs *kt_ftrace_regs(struct ftrace_regs *fregs)
{
	return NULL;
}
#endif

#ifndef kt_ftrace_func
#define kt_ftrace_func(fn) (fn)
#endif

/* kt_ftrace_filter_add: adds N functions to the filter of OPS, all or some of them; 0: all. kt_ftrace_filter_replace: N functions
 * become its filter. */
#if KCONF_FTRACE_FILTER_IPS
#define kt_ftrace_filter_add(ops, ips, n) ftrace_set_filter_ips(ops, ips, n, 0, 0)
#define kt_ftrace_filter_replace(ops, ips, n) ftrace_set_filter_ips(ops, ips, n, 0, 1)
#else /* one at a time, so not in one step: the filter keeps all functions */
static inline int kt_ftrace_filter_add(struct ftrace_ops *ops, const unsigned long *ips, u32 n)
{
	return n == 1 ? ftrace_set_filter_ip(ops, *ips, 0, 0) : -E2BIG;
}
#define kt_ftrace_filter_replace(ops, ips, n) 0
#endif

/* Without a function tracer the kernel declares its structure, but does not define it. Nothing is registered then. */
#if !defined(CONFIG_FUNCTION_TRACER)
struct ftrace_ops {
	void (*func)(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs);
	unsigned long flags;
};
enum { FTRACE_OPS_FL_PERMANENT, FTRACE_OPS_FL_SAVE_REGS };
#endif

/* The hooks of a kretprobe. Where those are rethooks of a form that is known, its handler can be replaced by one that the kernel calls at the
 * end of a function without setting a kprobe before it. OBJPOOL: a ring of instances for each CPU, which a non-maskable
 * interrupt may find half written; before, one list for all CPUs, which it may not. */
#if defined(CONFIG_KRETPROBE_ON_RETHOOK) && KCONF_RETHOOKS
#include <linux/rethook.h>
enum { KT_HAS_RETHOOK = 1, KT_RETHOOK_OBJPOOL = KCONF_RETHOOK_OBJPOOL };
#if KCONF_RETHOOK_ADDRESS
#define KT_RETHOOK_HANDLER(name, node, regs) \
	static void notrace name(struct rethook_node *node, void *data, unsigned long ret_address, struct pt_regs *regs)
#else
#define KT_RETHOOK_HANDLER(name, node, regs) \
	static void notrace name(struct rethook_node *node, void *data, struct pt_regs *regs)
#endif
#define kt_rethook_handle(rp, fn) rcu_assign_pointer((rp)->rh->handler, fn)

static __always_inline struct kretprobe_instance *kt_rethook_instance(struct rethook_node *node)
{
	return container_of(node, struct kretprobe_instance, node);
}

/* Returns the hook of the current task that was set last. If it has no hook, the result is no valid pointer. */
static __always_inline struct rethook_node *kt_rethook_newest(void)
{
	return llist_entry(READ_ONCE(current->rethooks.first), struct rethook_node, llist);
}
#else
enum { KT_HAS_RETHOOK = 0, KT_RETHOOK_OBJPOOL = 0 };
struct rethook_node;
#define KT_RETHOOK_HANDLER(name, node, regs) \
	static void __maybe_unused notrace name(struct rethook_node *node, struct pt_regs *regs)
#define kt_rethook_handle(rp, fn) do { } while (0)

static __always_inline struct kretprobe_instance *kt_rethook_instance(struct rethook_node *node)
{
	return NULL;
}

static __always_inline struct rethook_node *kt_rethook_newest(void)
{
	return NULL;
}
#endif

/* Returns the probe of an instance, NULL: it was unregistered. */
static __always_inline struct kretprobe *kt_kretprobe_of(struct kretprobe_instance *ri)
{
#if !defined(CONFIG_KRETPROBES)
	return NULL;
#elif KCONF_KRETPROBE_OF
	return get_kretprobe(ri);
#else /* before d741bf41d7c7 in v5.11 */
	return ri->rp;
#endif
}

/* Exported, but declared for file systems alone before 74d7970febf7 in v6.5. */
int vfs_path_lookup(struct dentry *dentry, struct vfsmount *mnt, const char *name, unsigned int flags, struct path *path);

/* A script that hooks packets is refused where the kernel has no firewall (translator/platform/needs.c). */
#if !IS_ENABLED(CONFIG_NETFILTER)
int nf_register_net_hook(struct net *net, const struct nf_hook_ops *ops);
void nf_unregister_net_hook(struct net *net, const struct nf_hook_ops *ops);
#endif

/* May return addresses on the current stack be others than the callers'? */
static inline bool kt_returns_are_hooked(void)
{
#if defined(CONFIG_RETHOOK) && KCONF_RETHOOKS
	return current->rethooks.first;
#elif defined(CONFIG_KRETPROBES) && !defined(CONFIG_RETHOOK) && KCONF_KRETPROBE_OF
	return current->kretprobe_instances.first;
#elif defined(CONFIG_KRETPROBES) || defined(CONFIG_RETHOOK) /* they are in a list of the kernel's own, or of an unknown form */
	return true;
#else
	return false;
#endif
}

/* The exported function by which the kit knows where the kernel was loaded: gen.c has its linked address. */
#ifdef printk /* 337015573718 made it a macro in v5.15 */
#define KT_ANCHOR_NAME "_printk"
#define kt_anchor _printk
#else
#define KT_ANCHOR_NAME "printk"
#define kt_anchor printk
#endif

/* Tells lockdep that interrupts are going to be on. 8b023accc8df dropped an argument in v5.19. */
static __always_inline void kt_prepare_without_ip(void (*fn)(void))
{
	fn();
}

static __always_inline void kt_prepare_with_ip(void (*fn)(unsigned long))
{
	fn(_THIS_IP_);
}
#define kt_lockdep_on_prepare() \
	_Generic(&lockdep_hardirqs_on_prepare, void (*)(void): kt_prepare_without_ip, default: kt_prepare_with_ip)( \
		lockdep_hardirqs_on_prepare)

/* The data of a file in /proc. */
#if KCONF_PROC_DATA
#define kt_proc_data(inode) pde_data(inode)
#else
#define kt_proc_data(inode) PDE_DATA(inode)
#endif

/* Members of struct task_struct. */
#if KCONF_TASK_STATE
#define KT_TASK_STATE __state
#else
#define KT_TASK_STATE state
#endif
#if KCONF_TASK_CPU_IN_THREAD
#define KT_TASK_CPU thread_info.cpu
#else
#define KT_TASK_CPU cpu
#endif

/* KT_IRQ_WORK_HARD(fn) calls FN in an interrupt. Where KT_DEFERS_TO_THREAD is true, FN must not take locks that sleep there. */
#if defined(IRQ_WORK_INIT_HARD) && defined(CONFIG_PREEMPT_RT) /* 810979682ccc, v5.11 */
#define KT_DEFERS_TO_THREAD true
#define KT_IRQ_WORK_HARD(fn) IRQ_WORK_INIT_HARD(fn)
#else
#define KT_DEFERS_TO_THREAD false
#define KT_IRQ_WORK_HARD(fn) { .func = (fn) }
#endif
#ifndef IRQ_WORK_INIT /* 7a9f50a05843, v5.11 */
#define irq_work_is_busy(work) (atomic_read(&(work)->flags) & IRQ_WORK_BUSY)
#define irq_work_is_pending(work) (atomic_read(&(work)->flags) & IRQ_WORK_PENDING)
#endif

/* Returns the page at INDEX of ENTRY, which the page cache has there. NULL: it was not read yet, or is damaged, or the page cache has a
 * form that is not known. No reference is taken. */
static __always_inline struct page *kt_cached_page(void *entry, pgoff_t index)
{
#if KCONF_FOLIO_FILE_PAGE /* 9257e1567738, v5.16 */
	struct folio *folio = entry;
	struct page *page = folio_test_uptodate(folio) ? folio_file_page(folio, index) : NULL;

	return page && !PageHWPoison(page) ? page : NULL;
#elif KCONF_FIND_SUBPAGE && !defined(page_folio)
	struct page *page = PageUptodate((struct page *)entry) ? find_subpage(entry, index) : NULL;

	return page && !PageHWPoison(page) ? page : NULL;
#else
	return NULL;
#endif
}

/* Lets the event of ATTR end when its task executes a program. False: the kernel cannot. */
static inline bool kt_perf_until_exec(struct perf_event_attr *attr)
{
#if KCONF_PERF_REMOVE_ON_EXEC
	attr->remove_on_exec = 1;
	return true;
#else
	return false;
#endif
}

/* Value of the symbol of MOD whose name is the LEN bytes at NAME; 0: it has none, or the kernel keeps no symbols of modules. Of several, the one with
 * NUMBER before it, not counting those of init functions, which go; below 0: the first of all. Context: any, interrupts off. */
static inline unsigned long kt_symbol_of_module(const struct module *mod, const char *name, size_t len, long number)
{
#if KCONF_MODULE_SYMBOLS
	const struct mod_kallsyms *k = rcu_dereference_raw(mod->kallsyms);

	for (unsigned int i = 0; k && i < k->num_symtab; i++)
		if (k->symtab[i].st_shndx != SHN_UNDEF && !strncmp(k->strtab + k->symtab[i].st_name, name, len) &&
		    !k->strtab[k->symtab[i].st_name + len] &&
		    (number < 0 || (!within_module_init(kallsyms_symbol_value(&k->symtab[i]), mod) && !number--)))
			return kallsyms_symbol_value(&k->symtab[i]);
#endif
	return 0;
}

/* Bytes of the variable of MOD at ADDRESS, 0: unknown. Context: as of kt_symbol_of_module(). */
static inline unsigned long kt_variable_size(const struct module *mod, unsigned long address)
{
#if KCONF_MODULE_SYMBOLS
	const struct mod_kallsyms *k = rcu_dereference_raw(mod->kallsyms);

	for (unsigned int i = 0; k && i < k->num_symtab; i++)
		if (k->symtab[i].st_shndx != SHN_UNDEF && ELF64_ST_TYPE(k->symtab[i].st_info) == STT_OBJECT &&
		    kallsyms_symbol_value(&k->symtab[i]) == address)
			return k->symtab[i].st_size;
#endif
	return 0;
}

/* Where MOD has its constants: what is never written and is not code. */
static inline void kt_module_constants(const struct module *mod, unsigned long *start, unsigned long *size)
{
#if KCONF_MODULE_MEM
	*start = (unsigned long)mod->mem[MOD_RODATA].base;
	*size = mod->mem[MOD_RODATA].size;
#else
	*start = (unsigned long)mod->core_layout.base + mod->core_layout.text_size;
	*size = mod->core_layout.ro_size - mod->core_layout.text_size;
#endif
}

/* Whether the kernel checks the type of a function that it calls through a pointer. */
enum { KT_CHECKS_TYPES = IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI) };

/* Returns the empty function of TP that has the type of its probes. NULL: it has none. */
static inline void *kt_tracepoint_stub(const struct tracepoint *tp)
{
#if KCONF_TRACEPOINT_STUB
	return tp->probestub;
#else
	return NULL;
#endif
}

/* The callback of sched_process_exit. It has the type that a kernel checks (KT_CHECKS_TYPES). */
#if KCONF_EXIT_GROUP_DEAD
#define KT_TASK_EXITED(name) void name(void *data, struct task_struct *task, bool group_dead)
#else
#define KT_TASK_EXITED(name) void name(void *data, struct task_struct *task)
#endif

/* Returns the tracepoint NAME of MOD, or NULL. Where KT_KNOWS_MODULE_TRACEPOINTS is 0, the kernel keeps them in a form that is not known. */
enum { KT_KNOWS_MODULE_TRACEPOINTS = KCONF_MODULE_TRACEPOINTS };
static inline struct tracepoint *kt_tracepoint_of_module(const struct module *mod, const char *name)
{
#if KCONF_MODULE_TRACEPOINTS
	for (unsigned int i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, name))
			return tp;
	}
#endif
	return NULL;
}

/* Writes TEXT to the kernel's trace. A macro: its address is the caller's. */
#if !defined(CONFIG_TRACING)
#define kt_trace_puts(text) ((void)(text))
#elif KCONF_TRACE_PUTS_LENGTH
#define kt_trace_puts(text) __trace_puts(_THIS_IP_, text, (int)strlen(text))
#else
#define kt_trace_puts(text) __trace_puts(_THIS_IP_, text)
#endif

/* Nanoseconds of the scheduler's clock on CPU. Where all CPUs have the same one only the tracer's name for it is exported. */
static inline u64 kt_cpu_clock(int cpu)
{
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	return sched_clock_cpu(cpu);
#else
	return trace_clock_local();
#endif
}

/* Whether the program asked for the sender's credentials, or -ENOPROTOOPT: the kernel keeps it in a form that is not known. Macros, as
 * struct sock is incomplete here. */
#if KCONF_SOCKET_PASSCRED /* 0e81cfd971dc moved it in v6.16 */
#define kt_socket_passcred(sock) test_bit(SOCK_PASSCRED, &(sock)->flags)
#elif KCONF_SOCK_SCM_CREDENTIALS
#define kt_socket_passcred(sock) ((sock)->sk->sk_family == AF_UNIX && (sock)->sk->sk_scm_credentials)
#else
#define kt_socket_passcred(sock) (-ENOPROTOOPT)
#endif

/* Stores the return addresses of the current stack. Returns their number, 0 where the kernel was built without STACKTRACE. */
static __always_inline u32 kt_stack_save(unsigned long *ret, u32 max)
{
#ifdef CONFIG_STACKTRACE
	return stack_trace_save(ret, max, 0);
#else
	return 0;
#endif
}

/* Queues WORK, which any CPU may run. Context: any but NMI. */
static inline void kt_queue_unbound(struct work_struct *work)
{
#if KCONF_WORKQUEUE_DFL /* 128ea9f6ccfb added it in v6.17; the kernel warns about uses of the old name */
	queue_work(system_dfl_wq, work);
#else
	queue_work(system_unbound_wq, work);
#endif
}

/* A timer on the monotonic clock that expires in hard interrupt context, on PREEMPT_RT too. */
static inline void kt_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*fn)(struct hrtimer *))
{
#if KCONF_HRTIMER_SETUP /* 908a1d775422 added it in v6.13; 9779489a31d7 removed hrtimer_init */
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer->function = fn;
#endif
}

/* A place in a file. SEMAPHORE: offset of its reference counter in the file, or 0. On success *RET is what the two below
 * want. */
static inline int kt_uprobe_register(struct inode *inode, loff_t offset, loff_t semaphore, struct uprobe_consumer *uc,
				     struct uprobe **ret)
{
#if KCONF_UPROBE_HANDLE /* 3c83a9ad0295 gave out struct uprobe in v6.12 */
	*ret = uprobe_register(inode, offset, semaphore, uc);
	return PTR_ERR_OR_ZERO(*ret);
#else
	*ret = NULL;
	return semaphore ? uprobe_register_refctr(inode, offset, semaphore, uc) : uprobe_register(inode, offset, uc);
#endif
}

/* Starts to take it away: handlers may still run until kt_uprobe_sync(). */
static inline void kt_uprobe_unregister(struct inode *inode, loff_t offset, struct uprobe_consumer *uc,
					struct uprobe *uprobe)
{
#if KCONF_UPROBE_HANDLE
	uprobe_unregister_nosync(uprobe, uc);
#else
	uprobe_unregister(inode, offset, uc);
#endif
}

static inline void kt_uprobe_sync(void)
{
#if KCONF_UPROBE_HANDLE
	uprobe_unregister_sync();
#endif
}

/* A call with a return probe as the kernel keeps it, and the address of the pointer to the current task's innermost one; 0: it has none.
 * KT_KNOWS_RETURN_INSTANCES is 0 where return probes may exist and their form is not known. */
enum { KT_KNOWS_RETURN_INSTANCES = KCONF_RETURN_INSTANCES || !IS_ENABLED(CONFIG_UPROBES) };
#if KCONF_RETURN_INSTANCES
typedef struct return_instance kt_return_instance;
static inline unsigned long kt_return_instances(void)
{
	const struct uprobe_task *task = READ_ONCE(current->utask);

	return task ? (unsigned long)&task->return_instances : 0;
}
#else
typedef struct {
	unsigned long stack, orig_ret_vaddr;
	void *next;
} kt_return_instance;
static inline unsigned long kt_return_instances(void)
{
	return 0;
}
#endif

/* A task of MM's process, NULL: this kernel does not keep it. Under rcu_read_lock(). */
static inline const struct task_struct *kt_mm_owner(const struct mm_struct *mm)
{
#if KCONF_MM_OWNER
	return rcu_dereference(mm->owner);
#else
	return NULL;
#endif
}

/* The contexts that hold the events of TASK, numbered; NULL: it has none of that number. Under rcu_read_lock(), or the task is
 * the current one and interrupts are off. */
#if KCONF_PERF_ONE_CONTEXT /* bd2756811766 made it one in v6.2 */
enum { KT_PERF_CONTEXTS = 1 };
static inline struct perf_event_context *kt_perf_context(const struct task_struct *task, u32 which)
{
	return rcu_dereference_raw(task->perf_event_ctxp);
}
#else
enum { KT_PERF_CONTEXTS = perf_nr_task_contexts };
static inline struct perf_event_context *kt_perf_context(const struct task_struct *task, u32 which)
{
	return rcu_dereference_raw(task->perf_event_ctxp[which]);
}
#endif

/* The callbacks of a consumer, which forward to functions of one signature. */
#if KCONF_UPROBE_FILTER_CTX /* 59da880afed2 dropped the context in v6.12 */
#define KT_UPROBE_FILTER(name) static bool name(struct uprobe_consumer *uc, enum uprobe_filter_ctx ctx, struct mm_struct *mm)
#else
#define KT_UPROBE_FILTER(name) static bool name(struct uprobe_consumer *uc, struct mm_struct *mm)
#endif
#if KCONF_UPROBE_COOKIE /* da09a9e0c3ea added the cookie in v6.13 */
#define KT_UPROBE_HIT(name) static int name(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *cookie)
#define KT_UPROBE_RETURNED(name) \
	static int name(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs, __u64 *cookie)
#else
#define KT_UPROBE_HIT(name) static int name(struct uprobe_consumer *uc, struct pt_regs *regs)
#define KT_UPROBE_RETURNED(name) static int name(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs)
#endif

#endif
