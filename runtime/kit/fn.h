/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tapset functions that the kit implements. Generated C declares those it calls by itself. Context: a handler's.
 * A function of N arguments whose name has several forms carries N: kt_fn_user_string2 is user_string(address, message).
 */
#ifndef KT_KIT_FN_H
#define KT_KIT_FN_H

#include "runtime/script.h"

/* mem.c */
void kt_fn_kernel_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
void kt_fn_kernel_string2(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, const char *message);
void kt_fn_kernel_string_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n);
void kt_fn_user_string(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
void kt_fn_user_string2(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, const char *message);
void kt_fn_user_string_n(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n);

/* task.c */
void kt_fn_execname(struct kt_ctx *c, char *ret, kt_u32 size);
kt_s64 kt_fn_pid(struct kt_ctx *c);
kt_s64 kt_fn_tid(struct kt_ctx *c);
kt_s64 kt_fn_ppid(struct kt_ctx *c);
kt_s64 kt_fn_uid(struct kt_ctx *c);
kt_s64 kt_fn_euid(struct kt_ctx *c);
kt_s64 kt_fn_gid(struct kt_ctx *c);
kt_s64 kt_fn_egid(struct kt_ctx *c);
kt_s64 kt_fn_cpu(struct kt_ctx *c);
kt_s64 kt_fn_target(struct kt_ctx *c);

/* signal.c */
void kt_fn_raise(struct kt_ctx *c, kt_s64 number);

/* kprobe.c */
kt_s64 kt_fn___entry_value(struct kt_ctx *c, kt_s64 slot);
void kt_fn___entry_save(struct kt_ctx *c, kt_s64 slot, kt_s64 value);
void kt_fn___entry_text(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 slot, kt_s64 number);
void kt_fn___entry_save_text(struct kt_ctx *c, kt_s64 slot, kt_s64 number, const char *value);

/* time.c */
kt_s64 kt_fn_gettimeofday_ns(struct kt_ctx *c);
kt_s64 kt_fn_gettimeofday_us(struct kt_ctx *c);
kt_s64 kt_fn_gettimeofday_ms(struct kt_ctx *c);
kt_s64 kt_fn_gettimeofday_s(struct kt_ctx *c);
kt_s64 kt_fn_ktime_get_ns(struct kt_ctx *c);
kt_s64 kt_fn_get_cycles(struct kt_ctx *c);

/* log.c */
void kt_fn_warn(struct kt_ctx *c, const char *text);
void kt_fn_log(struct kt_ctx *c, const char *text);
void kt_fn_system(struct kt_ctx *c, const char *command);
void kt_fn_switch_file(struct kt_ctx *c);
void kt_fn_error(struct kt_ctx *c, const char *text);
void kt_fn_abort(struct kt_ctx *c);
void kt_fn_exit(struct kt_ctx *c);
void kt_fn_exit2(struct kt_ctx *c, kt_s64 status);
void kt_fn_pp(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn_pn(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn_ppfunc(struct kt_ctx *c, char *ret, kt_u32 size);

/* procfs.c, netfilter.c: variables of their probes */
void kt_fn___procfs_value(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn___procfs_set(struct kt_ctx *c, const char *text);
void kt_fn___procfs_append(struct kt_ctx *c, const char *text);
void kt_fn___netfilter_set_verdict(struct kt_ctx *c, kt_s64 verdict);

/* fn-context.c: registers, and the kernel's answers that need no memory */
kt_s64 kt_fn_addr(struct kt_ctx *c);
kt_s64 kt_fn_uaddr(struct kt_ctx *c);
kt_s64 kt_fn_user_mode(struct kt_ctx *c);
kt_s64 kt_fn_is_return(struct kt_ctx *c);
kt_s64 kt_fn_registers_valid(struct kt_ctx *c);
kt_s64 kt_fn_register(struct kt_ctx *c, const char *name);
kt_s64 kt_fn_u_register(struct kt_ctx *c, const char *name);
kt_s64 kt_fn_argument_word(struct kt_ctx *c, kt_s64 n, kt_s64 form);
kt_s64 kt_fn_returnval(struct kt_ctx *c);
void kt_fn_module_name(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn___errno_name(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 number);
kt_s64 kt_fn___random(struct kt_ctx *c);
kt_s64 kt_fn_mem_page_size(struct kt_ctx *c);
kt_s64 kt_fn___string_size(struct kt_ctx *c);
kt_s64 kt_fn_jiffies(struct kt_ctx *c);
kt_s64 kt_fn_HZ(struct kt_ctx *c);
kt_s64 kt_fn_local_clock_ns(struct kt_ctx *c);
kt_s64 kt_fn_cpu_clock_ns(struct kt_ctx *c, kt_s64 cpu);
kt_s64 kt_fn_tz_gmtoff(struct kt_ctx *c);
void kt_fn_tz_name(struct kt_ctx *c, char *ret, kt_u32 size);

/* fn-task.c: tasks and memory by address */
kt_s64 kt_fn_task_current(struct kt_ctx *c);
kt_s64 kt_fn_task_pid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_tid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_parent(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_state(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_cpu(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_prio(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_nice(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_uid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_euid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_gid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_egid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn___task_comm(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_pid2task(struct kt_ctx *c, kt_s64 pid);

/* process.c */
kt_s64 kt_fn_target_set_pid(struct kt_ctx *c, kt_s64 pid);
kt_s64 kt_fn___target_set_after(struct kt_ctx *c, kt_s64 pid);

/* fn-task.c */
kt_s64 kt_fn_pgrp(struct kt_ctx *c);
kt_s64 kt_fn_sid(struct kt_ctx *c);
kt_s64 kt_fn_task_utime(struct kt_ctx *c);
kt_s64 kt_fn_task_stime(struct kt_ctx *c);
kt_s64 kt_fn___kernel_number(struct kt_ctx *c, kt_s64 address, kt_s64 size, kt_s64 sign);
kt_s64 kt_fn___user_number(struct kt_ctx *c, kt_s64 address, kt_s64 size, kt_s64 sign);

/* fn-symbols.c: symbols and calls */
void kt_fn_symname(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
/* Writes the name of KIND (enum kt_name_kind) of what is at ADDRESS. Context: any. */
void kt_name_text(char *ret, kt_u32 size, kt_u64 address, kt_u32 kind);
void kt_fn_symdata(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
void kt_fn_backtrace(struct kt_ctx *c, char *ret, kt_u32 size);
kt_s64 kt_fn___stack_depth(struct kt_ctx *c);
kt_s64 kt_fn___stack_entry(struct kt_ctx *c, kt_s64 n);
kt_s64 kt_fn___stack_pc(struct kt_ctx *c, kt_s64 n);

/* lines.c: source lines of the kernel */
void kt_fn___symbol_file(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
kt_s64 kt_fn___symbol_line(struct kt_ctx *c, kt_s64 address);

/* unwind.c: stacks and symbols of user programs */
kt_s64 kt_fn___ustack_depth(struct kt_ctx *c);
kt_s64 kt_fn___ustack_depth_from(struct kt_ctx *c, kt_s64 pc, kt_s64 sp, kt_s64 fp);
kt_s64 kt_fn___ustack_entry(struct kt_ctx *c, kt_s64 n);
kt_s64 kt_fn___ustack_pc(struct kt_ctx *c, kt_s64 n);
kt_s64 kt_fn___ustack_exact(struct kt_ctx *c);
kt_s64 kt_fn___ustack_whole(struct kt_ctx *c);
void kt_fn___ustack_symbol(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n, kt_s64 what);
void kt_fn___usymbol(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 what);
void kt_fn___usymbol_build_id(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
kt_s64 kt_fn___usymbol_offset(struct kt_ctx *c, kt_s64 address);
void kt_fn___usymbol_file(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address);
kt_s64 kt_fn___usymbol_line(struct kt_ctx *c, kt_s64 address);

/* fn-syscall.c: the system call that was hit */
kt_s64 kt_fn___syscall_number(struct kt_ctx *c, kt_s64 n);
kt_s64 kt_fn___syscall_set(struct kt_ctx *c, kt_s64 n, kt_s64 value);
kt_s64 kt_fn___syscall_memory(struct kt_ctx *c, kt_s64 n, kt_s64 offset, kt_s64 size);
kt_s64 kt_fn___syscall_result(struct kt_ctx *c);
kt_s64 kt_fn___syscall_nr(struct kt_ctx *c);
kt_s64 kt_fn___syscall_compat(struct kt_ctx *c);
void kt_fn___syscall_name(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn___syscall_text(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n);
void kt_fn___syscall_plain(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n);
void kt_fn___syscall_arguments(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn___syscall_result_text(struct kt_ctx *c, char *ret, kt_u32 size);
void kt_fn_syscall_name(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 number);
kt_s64 kt_fn_syscall_num(struct kt_ctx *c, const char *name);
kt_s64 kt_fn___syscall_sockaddr(struct kt_ctx *c, kt_s64 n, kt_s64 part);
void kt_fn___syscall_sockaddr_ip(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 n);

/* fn-loader.c: namespaces of the loader */
kt_s64 kt_fn_stp_pid(struct kt_ctx *c);
kt_s64 kt_fn_ns_pid(struct kt_ctx *c);
kt_s64 kt_fn_ns_tid(struct kt_ctx *c);
kt_s64 kt_fn_ns_ppid(struct kt_ctx *c);
kt_s64 kt_fn_ns_pgrp(struct kt_ctx *c);
kt_s64 kt_fn_ns_sid(struct kt_ctx *c);
kt_s64 kt_fn_ns_uid(struct kt_ctx *c);
kt_s64 kt_fn_ns_euid(struct kt_ctx *c);
kt_s64 kt_fn_ns_gid(struct kt_ctx *c);
kt_s64 kt_fn_ns_egid(struct kt_ctx *c);
kt_s64 kt_fn_task_ns_pid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_ns_tid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_ns_uid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_ns_euid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_ns_gid(struct kt_ctx *c, kt_s64 task);
kt_s64 kt_fn_task_ns_egid(struct kt_ctx *c, kt_s64 task);

/* fn-guru.c: writes, and messages to the kernel's log */
void kt_fn_set_kernel_char(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_user_char(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_kernel_short(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_user_short(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_kernel_int(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_user_int(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_kernel_long(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_user_long(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_kernel_pointer(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_user_pointer(struct kt_ctx *c, kt_s64 address, kt_s64 value);
void kt_fn_set_int_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_uint_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_long_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_ulong_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_longlong_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_ulonglong_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_pointer_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_u32_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_s64_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_set_u64_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);
void kt_fn_printk(struct kt_ctx *c, kt_s64 level, const char *text);
void kt_fn_ftrace(struct kt_ctx *c, const char *text);
void kt_fn_dump_stack(struct kt_ctx *c);
void kt_fn_panic(struct kt_ctx *c, const char *text);
void kt_fn_udelay(struct kt_ctx *c, kt_s64 us);
void kt_fn_mdelay(struct kt_ctx *c, kt_s64 ms);
void kt_fn_set_kernel_string_n(struct kt_ctx *c, kt_s64 address, kt_s64 n, const char *text);
void kt_fn_set_kernel_string(struct kt_ctx *c, kt_s64 address, const char *text);
void kt_fn_set_user_string_n(struct kt_ctx *c, kt_s64 address, kt_s64 n, const char *text);
void kt_fn_set_user_string(struct kt_ctx *c, kt_s64 address, const char *text);
void kt_fn_set_user_string_arg(struct kt_ctx *c, kt_s64 address, const char *text);
kt_s64 kt_fn_set_s32_arg(struct kt_ctx *c, kt_s64 n, kt_s64 value);

/* fn-memory.c: arguments of programs, Unicode, open files */
void kt_fn_cmdline_args(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 first, kt_s64 last, const char *delimiter);
void kt_fn_env_var(struct kt_ctx *c, char *ret, kt_u32 size, const char *name);
void kt_fn___utf(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 width, kt_s64 user);
void kt_fn___buffer_quoted(struct kt_ctx *c, char *ret, kt_u32 size, kt_s64 address, kt_s64 n, kt_s64 room, kt_s64 user);
kt_s64 kt_fn_stack_size(struct kt_ctx *c);
kt_s64 kt_fn_stack_used(struct kt_ctx *c);
kt_s64 kt_fn_addr_to_node(struct kt_ctx *c, kt_s64 address);
kt_s64 kt_fn___load_average(struct kt_ctx *c, kt_s64 which);
kt_s64 kt_fn_probing_32bit_app(struct kt_ctx *c);
kt_s64 kt_fn___user_word_size(struct kt_ctx *c);
kt_s64 kt_fn_task_open_file_handles(struct kt_ctx *c, kt_s64 task);

#endif
