/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enums with data, strings and slices of Rust: shop.rs as rustc 1.95.0 compiles it, so that the test needs no rustc.
 * rustc --edition 2021 --crate-type lib -g -C opt-level=0 -C panic=abort -C overflow-checks=off -C codegen-units=1 \
 *	-C dwarf-version=5 --remap-path-prefix $PWD=/shop --emit asm -o shop.s shop.rs */
	.file	"shop.f19fb8420c33ecb3-cgu.0"
	.file	0 "/shop" "shop.rs/@/shop.f19fb8420c33ecb3-cgu.0"
	.file	1 "shop.rs" md5 0xb8bbc902afd457d6f187d562a93b48b2
	.section	".text._ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE","ax",@progbits
	.p2align	4
	.type	_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE,@function
_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE:
.Lfunc_begin0:
	.file	2 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/str/mod.rs" md5 0xb67baab1b9aefdbe1feb84767953c83d
	.loc	2 157 0
	.cfi_startproc
	movq	%rsi, %rax
	movq	%rdi, -16(%rsp)
	movq	%rax, -8(%rsp)
.Ltmp0:
	.loc	2 159 6 prologue_end
	retq
.Ltmp1:
.Lfunc_end0:
	.size	_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE, .Lfunc_end0-_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE
	.cfi_endproc
	.section	.text._ZN4shop4area17h00e83006107d77b8E,"ax",@progbits
	.p2align	4
	.type	_ZN4shop4area17h00e83006107d77b8E,@function
_ZN4shop4area17h00e83006107d77b8E:
.Lfunc_begin1:
	.loc	1 9 0
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	subq	$272, %rsp
	.cfi_def_cfa_offset 288
	.cfi_offset %rbx, -16
	movq	%r9, 16(%rsp)
	movq	%r8, 24(%rsp)
	movl	%ecx, %r10d
	movl	%edx, %r11d
	movq	%rsi, %rbx
	movq	%rdi, 32(%rsp)
	movq	312(%rsp), %rax
	movq	%rax, 40(%rsp)
	movq	304(%rsp), %rcx
	movq	296(%rsp), %rdx
	movq	%rdx, 48(%rsp)
	movq	288(%rsp), %rsi
	movq	%rsi, 56(%rsp)
	movq	%rbx, 72(%rsp)
	movl	%r11d, 80(%rsp)
	movl	%r10d, 84(%rsp)
	movq	%rdi, 120(%rsp)
	movq	%r8, 128(%rsp)
	movq	%r9, 136(%rsp)
	movq	%rsi, 144(%rsp)
	movq	%rdx, 152(%rsp)
	movq	%rcx, 160(%rsp)
	movq	%rax, 168(%rsp)
.Ltmp2:
	.loc	1 10 19 prologue_end
	movl	(%rdi), %eax
	movq	%rax, 64(%rsp)
	.loc	1 0 19 is_stmt 0
	movq	64(%rsp), %rcx
	leaq	.LJTI1_0(%rip), %rax
	.loc	1 10 13
	movslq	(%rax,%rcx,4), %rcx
	addq	%rcx, %rax
	jmpq	*%rax
	.cfi_def_cfa_offset 8
	.cfi_restore %rbx
	.loc	1 0 0
	ud2
.LBB1_2:
	.cfi_def_cfa_offset 288
	.cfi_offset %rbx, -16
	.loc	1 10 39
	movq	$0, 88(%rsp)
	jmp	.LBB1_6
.LBB1_3:
	.loc	1 0 39
	movq	32(%rsp), %rax
	.loc	1 10 53
	movq	%rax, %rcx
	addq	$4, %rcx
	movq	%rcx, 176(%rsp)
.Ltmp3:
	.loc	1 10 59
	movl	4(%rax), %eax
	movq	%rax, 88(%rsp)
.Ltmp4:
	.loc	1 10 67
	jmp	.LBB1_6
.LBB1_4:
	.loc	1 0 67
	movq	32(%rsp), %rcx
	.loc	1 10 86
	movq	%rcx, %rax
	addq	$4, %rax
	movq	%rax, 184(%rsp)
	.loc	1 10 89
	movq	%rcx, %rax
	addq	$8, %rax
	movq	%rax, 192(%rsp)
.Ltmp5:
	.loc	1 10 96
	movslq	4(%rcx), %rax
	.loc	1 10 121
	movq	8(%rcx), %rcx
	movq	%rax, 256(%rsp)
	movq	%rcx, 264(%rsp)
.Ltmp6:
	.file	3 "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860" "library/core/src/num/uint_macros.rs" md5 0xde2f29a3485fc28d710ba6c3062e6efa
	.loc	3 2533 13 is_stmt 1
	imulq	%rcx, %rax
.Ltmp7:
	.loc	1 10 108
	movq	%rax, 88(%rsp)
	jmp	.LBB1_6
.Ltmp8:
.LBB1_5:
	.loc	1 0 108 is_stmt 0
	movq	32(%rsp), %rax
	.loc	1 10 139
	movq	%rax, %rcx
	addq	$8, %rcx
	movq	%rcx, 200(%rsp)
.Ltmp9:
	.loc	1 10 145
	movq	8(%rax), %rdi
	movq	16(%rax), %rsi
	.loc	1 10 147
	callq	_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE
	.loc	1 10 145
	movq	%rax, 88(%rsp)
.Ltmp10:
.LBB1_6:
	.loc	1 11 19 is_stmt 1
	movq	72(%rsp), %rdx
	movl	$1, %eax
	xorl	%ecx, %ecx
	cmpq	$0, %rdx
	cmoveq	%rcx, %rax
	.loc	1 11 13 is_stmt 0
	testq	$1, %rax
	je	.LBB1_8
	.loc	1 11 28
	movq	72(%rsp), %rax
	movq	%rax, 208(%rsp)
.Ltmp11:
	.loc	1 11 34
	movl	(%rax), %eax
	movl	%eax, 96(%rsp)
.Ltmp12:
	.loc	1 11 35
	jmp	.LBB1_9
.LBB1_8:
	.loc	1 11 46
	movl	$0, 96(%rsp)
.LBB1_9:
.Ltmp13:
	.loc	1 12 19 is_stmt 1
	movl	80(%rsp), %eax
	.loc	1 12 13 is_stmt 0
	testq	$1, %rax
	je	.LBB1_11
	.loc	1 12 28
	movl	84(%rsp), %eax
	movl	%eax, 220(%rsp)
.Ltmp14:
	.loc	1 12 34
	movl	%eax, 100(%rsp)
.Ltmp15:
	.loc	1 12 34
	jmp	.LBB1_12
.LBB1_11:
	.loc	1 12 45
	movl	$1, 100(%rsp)
.LBB1_12:
	.loc	1 0 45
	movq	24(%rsp), %rax
.Ltmp16:
	.loc	1 13 19 is_stmt 1
	movb	(%rax), %al
	andb	$1, %al
	movzbl	%al, %eax
	.loc	1 13 13 is_stmt 0
	testq	$1, %rax
	je	.LBB1_14
	.loc	1 0 13
	movq	24(%rsp), %rax
	.loc	1 13 60
	movq	%rax, %rcx
	addq	$2, %rcx
	movq	%rcx, 232(%rsp)
.Ltmp17:
	.loc	1 13 66
	movswq	2(%rax), %rax
	movq	%rax, 104(%rsp)
.Ltmp18:
	.loc	1 13 74
	jmp	.LBB1_15
.LBB1_14:
	.loc	1 0 74
	movq	24(%rsp), %rax
	.loc	1 13 33
	movq	%rax, %rcx
	addq	$1, %rcx
	movq	%rcx, 224(%rsp)
.Ltmp19:
	.loc	1 13 39
	movzbl	1(%rax), %eax
	movq	%rax, 104(%rsp)
.Ltmp20:
.LBB1_15:
	.loc	1 0 39
	movq	16(%rsp), %rax
.Ltmp21:
	.loc	1 14 13 is_stmt 1
	cmpb	$-3, (%rax)
	jne	.LBB1_17
	.loc	1 0 13 is_stmt 0
	movq	16(%rsp), %rax
	.loc	1 14 35
	movq	%rax, %rcx
	addq	$1, %rcx
	movq	%rcx, 240(%rsp)
.Ltmp22:
	.loc	1 14 41
	movzbl	1(%rax), %eax
	movq	%rax, 112(%rsp)
.Ltmp23:
	.loc	1 14 49
	jmp	.LBB1_18
.LBB1_17:
	.loc	1 0 49
	movq	16(%rsp), %rax
	.loc	1 14 65
	movq	%rax, %rcx
	addq	$1, %rcx
	movq	%rcx, 248(%rsp)
.Ltmp24:
	.loc	1 14 71
	movzbl	1(%rax), %eax
	movq	%rax, 112(%rsp)
.Ltmp25:
.LBB1_18:
	.loc	1 0 71
	movq	48(%rsp), %rsi
	movq	56(%rsp), %rdi
.Ltmp26:
	.loc	1 15 5 is_stmt 1
	movq	88(%rsp), %rax
	.loc	1 15 9 is_stmt 0
	movl	96(%rsp), %ecx
	.loc	1 15 5
	xorq	%rcx, %rax
	.loc	1 15 20
	movl	100(%rsp), %ecx
	.loc	1 15 5
	xorq	%rcx, %rax
	xorq	104(%rsp), %rax
	xorq	112(%rsp), %rax
	movq	%rax, 8(%rsp)
	.loc	1 15 41
	callq	_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE
	movq	40(%rsp), %rcx
	movq	%rax, %rdx
	movq	8(%rsp), %rax
	.loc	1 15 5
	xorq	%rdx, %rax
	xorq	%rcx, %rax
.Ltmp27:
	.loc	1 16 2 epilogue_begin is_stmt 1
	addq	$272, %rsp
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_def_cfa_offset 8
	retq
.Ltmp28:
.Lfunc_end1:
	.size	_ZN4shop4area17h00e83006107d77b8E, .Lfunc_end1-_ZN4shop4area17h00e83006107d77b8E
	.cfi_endproc
	.section	.rodata._ZN4shop4area17h00e83006107d77b8E,"a",@progbits
	.p2align	2, 0x0
.LJTI1_0:
	.long	.LBB1_2-.LJTI1_0
	.long	.LBB1_3-.LJTI1_0
	.long	.LBB1_4-.LJTI1_0
	.long	.LBB1_5-.LJTI1_0
	.section	.text.run,"ax",@progbits
	.globl	run
	.p2align	4
	.type	run,@function
run:
.Lfunc_begin2:
	.loc	1 19 0
	.cfi_startproc
	subq	$56, %rsp
	.cfi_def_cfa_offset 64
.Ltmp29:
	.loc	1 20 5 prologue_end
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.0(%rip), %rdi
	leaq	_ZN4shop4FIVE17hc17267a9b793e94bE(%rip), %rsi
	xorl	%edx, %edx
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.1(%rip), %r8
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.2(%rip), %r9
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.3(%rip), %r10
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.4(%rip), %rax
	movq	%r10, (%rsp)
	movq	$5, 8(%rsp)
	movq	%rax, 16(%rsp)
	movq	$2, 24(%rsp)
	callq	_ZN4shop4area17h00e83006107d77b8E
	movq	%rax, 32(%rsp)
	.loc	1 21 11
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.5(%rip), %rdi
	xorl	%eax, %eax
	movl	%eax, %esi
	movl	$1, %edx
	movl	$11, %ecx
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.6(%rip), %r8
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.7(%rip), %r9
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.8(%rip), %r10
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.9(%rip), %rax
	movq	%r10, (%rsp)
	movq	$6, 8(%rsp)
	movq	%rax, 16(%rsp)
	movq	$1, 24(%rsp)
	callq	_ZN4shop4area17h00e83006107d77b8E
	movq	%rax, %rcx
	movq	32(%rsp), %rax
	.loc	1 20 5
	xorq	%rcx, %rax
	movq	%rax, 40(%rsp)
	.loc	1 22 11
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.10(%rip), %rdi
	leaq	_ZN4shop4FIVE17hc17267a9b793e94bE(%rip), %rsi
	movl	$1, %edx
	movl	$12, %ecx
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.11(%rip), %r8
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.12(%rip), %r9
	movl	$1, %r10d
	xorl	%eax, %eax
	movl	$2, %eax
	movq	%r10, (%rsp)
	movq	$0, 8(%rsp)
	movq	%rax, 16(%rsp)
	movq	$0, 24(%rsp)
	callq	_ZN4shop4area17h00e83006107d77b8E
	movq	%rax, %rcx
	movq	40(%rsp), %rax
	.loc	1 20 5
	xorq	%rcx, %rax
	movq	%rax, 48(%rsp)
	.loc	1 23 11
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.14(%rip), %rdi
	xorl	%eax, %eax
	movl	%eax, %esi
	xorl	%edx, %edx
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.15(%rip), %r8
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.16(%rip), %r9
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.17(%rip), %r10
	leaq	.Lanon.a53108f7543b75adbb34afc035d4cdf6.18(%rip), %rax
	movq	%r10, (%rsp)
	movq	$4, 8(%rsp)
	movq	%rax, 16(%rsp)
	movq	$2, 24(%rsp)
	callq	_ZN4shop4area17h00e83006107d77b8E
	movq	%rax, %rcx
	movq	48(%rsp), %rax
	.loc	1 20 5
	xorq	%rcx, %rax
	.loc	1 24 2 epilogue_begin
	addq	$56, %rsp
	.cfi_def_cfa_offset 8
	retq
.Ltmp30:
.Lfunc_end2:
	.size	run, .Lfunc_end2-run
	.cfi_endproc
	.type	_ZN4shop4FIVE17hc17267a9b793e94bE,@object
	.section	.rodata._ZN4shop4FIVE17hc17267a9b793e94bE,"a",@progbits
	.p2align	2, 0x0
_ZN4shop4FIVE17hc17267a9b793e94bE:
	.asciz	"\005\000\000"
	.size	_ZN4shop4FIVE17hc17267a9b793e94bE, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.0,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.0,"a",@progbits
	.p2align	3, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.0:
	.zero	4
	.zero	20
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.0, 24
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.1,@object
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.1:
	.ascii	"\000\004"
	.zero	2
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.1, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.2,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.2,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.2:
	.ascii	"\375\001"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.2, 2
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.3,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.3,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.3:
	.ascii	"first"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.3, 5
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.4,@object
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.4:
	.asciz	"\001\000\002"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.4, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.5,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.5,"a",@progbits
	.p2align	3, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.5:
	.asciz	"\001\000\000\000*\000\000"
	.zero	16
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.5, 24
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.6,@object
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.6:
	.byte	1
	.zero	1
	.ascii	"\f\376"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.6, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.7,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.7,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.7:
	.ascii	"\007\002"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.7, 2
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.8,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.8,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.8:
	.ascii	"second"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.8, 6
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.9,@object
	.section	.rodata.str1.2,"aMS",@progbits,1
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.9:
	.asciz	"\003"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.9, 2
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.10,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.10,"a",@progbits
	.p2align	3, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.10:
	.asciz	"\002\000\000\000\375\377\377\377\t\000\000\000\000\000\000"
	.zero	8
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.10, 24
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.11,@object
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.11:
	.ascii	"\000\006"
	.zero	2
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.11, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.12,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.12,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.12:
	.ascii	"\375\003"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.12, 2
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.13,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.13,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.13:
	.ascii	"carol"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.13, 5
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.14,@object
	.section	.data.rel.ro..Lanon.a53108f7543b75adbb34afc035d4cdf6.14,"aw",@progbits
	.p2align	3, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.14:
	.asciz	"\003\000\000"
	.zero	4
	.quad	.Lanon.a53108f7543b75adbb34afc035d4cdf6.13
	.asciz	"\005\000\000\000\000\000\000"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.14, 24
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.15,@object
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.15:
	.byte	1
	.zero	1
	.asciz	"\007"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.15, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.16,@object
	.section	.rodata..Lanon.a53108f7543b75adbb34afc035d4cdf6.16,"a",@progbits
.Lanon.a53108f7543b75adbb34afc035d4cdf6.16:
	.ascii	"\007\004"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.16, 2
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.17,@object
	.section	.rodata.cst4,"aM",@progbits,4
.Lanon.a53108f7543b75adbb34afc035d4cdf6.17:
	.ascii	"last"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.17, 4
	.type	.Lanon.a53108f7543b75adbb34afc035d4cdf6.18,@object
	.section	.rodata.str1.2,"aMS",@progbits,1
	.p2align	1, 0x0
.Lanon.a53108f7543b75adbb34afc035d4cdf6.18:
	.asciz	"\374\377\005"
	.size	.Lanon.a53108f7543b75adbb34afc035d4cdf6.18, 4
	.section	.debug_abbrev,"",@progbits
	.byte	1
	.byte	17
	.byte	1
	.byte	37
	.byte	37
	.byte	19
	.byte	5
	.byte	3
	.byte	37
	.byte	114
	.byte	23
	.byte	16
	.byte	23
	.byte	27
	.byte	37
	.byte	17
	.byte	1
	.byte	85
	.byte	35
	.byte	115
	.byte	23
	.byte	116
	.byte	23
	.byte	0
	.byte	0
	.byte	2
	.byte	57
	.byte	1
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	3
	.byte	52
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	2
	.byte	24
	.byte	110
	.byte	37
	.byte	0
	.byte	0
	.byte	4
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	110
	.byte	37
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	5
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	6
	.byte	11
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	0
	.byte	0
	.byte	7
	.byte	52
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	37
	.ascii	"\210\001"
	.byte	15
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	8
	.byte	29
	.byte	1
	.byte	49
	.byte	19
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	88
	.byte	11
	.byte	89
	.byte	11
	.byte	87
	.byte	11
	.byte	0
	.byte	0
	.byte	9
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	49
	.byte	19
	.byte	0
	.byte	0
	.byte	10
	.byte	46
	.byte	0
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	11
	.byte	19
	.byte	1
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.byte	50
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	12
	.byte	51
	.byte	1
	.byte	21
	.byte	19
	.byte	0
	.byte	0
	.byte	13
	.byte	13
	.byte	0
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	52
	.byte	25
	.byte	0
	.byte	0
	.byte	14
	.byte	25
	.byte	1
	.byte	22
	.byte	11
	.byte	0
	.byte	0
	.byte	15
	.byte	13
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	0
	.byte	0
	.byte	16
	.byte	19
	.byte	0
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.byte	50
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	17
	.byte	13
	.byte	0
	.byte	3
	.byte	37
	.byte	73
	.byte	19
	.ascii	"\210\001"
	.byte	15
	.byte	56
	.byte	11
	.byte	50
	.byte	11
	.byte	0
	.byte	0
	.byte	18
	.byte	36
	.byte	0
	.byte	3
	.byte	37
	.byte	62
	.byte	11
	.byte	11
	.byte	11
	.byte	0
	.byte	0
	.byte	19
	.byte	46
	.byte	1
	.byte	110
	.byte	37
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	5
	.byte	73
	.byte	19
	.byte	32
	.byte	33
	.byte	1
	.byte	0
	.byte	0
	.byte	20
	.byte	5
	.byte	0
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	5
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	21
	.byte	25
	.byte	1
	.byte	0
	.byte	0
	.byte	22
	.byte	47
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	37
	.byte	0
	.byte	0
	.byte	23
	.byte	19
	.byte	1
	.byte	3
	.byte	37
	.byte	11
	.byte	11
	.ascii	"\210\001"
	.byte	15
	.byte	0
	.byte	0
	.byte	24
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	51
	.byte	6
	.byte	0
	.byte	0
	.byte	25
	.byte	15
	.byte	0
	.byte	73
	.byte	19
	.byte	3
	.byte	37
	.byte	51
	.byte	6
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.short	5
	.byte	1
	.byte	8
	.long	.debug_abbrev
	.byte	1
	.byte	0
	.short	28
	.byte	1
	.long	.Lstr_offsets_base0
	.long	.Lline_table_start0
	.byte	2
	.quad	0
	.byte	0
	.long	.Laddr_table_base0
	.long	.Lrnglists_table_base0
	.byte	2
	.byte	3
	.byte	3
	.byte	4
	.long	764
	.byte	1
	.byte	17
	.byte	4
	.byte	2
	.byte	161
	.byte	0
	.byte	6
	.byte	4
	.byte	2
	.long	.Lfunc_end1-.Lfunc_begin1
	.byte	1
	.byte	87
	.byte	20
	.byte	21
	.byte	1
	.byte	9
	.long	990
	.byte	5
	.byte	3
	.byte	145
	.asciz	"\370"
	.byte	27
	.byte	1
	.byte	9
	.long	1032
	.byte	5
	.byte	3
	.byte	145
	.asciz	"\310"
	.byte	38
	.byte	1
	.byte	9
	.long	841
	.byte	5
	.byte	3
	.byte	145
	.asciz	"\320"
	.byte	45
	.byte	1
	.byte	9
	.long	914
	.byte	5
	.byte	3
	.byte	145
	.ascii	"\200\001"
	.byte	47
	.byte	1
	.byte	9
	.long	1056
	.byte	5
	.byte	3
	.byte	145
	.ascii	"\210\001"
	.byte	53
	.byte	1
	.byte	9
	.long	1070
	.byte	5
	.byte	3
	.byte	145
	.ascii	"\220\001"
	.byte	59
	.byte	1
	.byte	9
	.long	998
	.byte	5
	.byte	3
	.byte	145
	.ascii	"\240\001"
	.byte	60
	.byte	1
	.byte	9
	.long	1084
	.byte	6
	.byte	3
	.long	.Ltmp4-.Ltmp3
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\260\001"
	.byte	47
	.byte	8
	.byte	1
	.byte	10
	.long	1046
	.byte	0
	.byte	6
	.byte	4
	.long	.Ltmp8-.Ltmp5
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\270\001"
	.byte	32
	.byte	8
	.byte	1
	.byte	10
	.long	1114
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\300\001"
	.byte	34
	.byte	8
	.byte	1
	.byte	10
	.long	1124
	.byte	8
	.long	808
	.byte	5
	.long	.Ltmp7-.Ltmp6
	.byte	1
	.byte	10
	.byte	108
	.byte	9
	.byte	3
	.byte	145
	.ascii	"\200\002"
	.long	818
	.byte	9
	.byte	3
	.byte	145
	.ascii	"\210\002"
	.long	827
	.byte	0
	.byte	0
	.byte	6
	.byte	6
	.long	.Ltmp10-.Ltmp9
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\310\001"
	.byte	27
	.byte	8
	.byte	1
	.byte	10
	.long	1134
	.byte	0
	.byte	6
	.byte	7
	.long	.Ltmp27-.Ltmp10
	.byte	7
	.byte	3
	.byte	145
	.asciz	"\330"
	.byte	62
	.byte	8
	.byte	1
	.byte	10
	.long	990
	.byte	6
	.byte	8
	.long	.Ltmp12-.Ltmp11
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\320\001"
	.byte	70
	.byte	8
	.byte	1
	.byte	11
	.long	1046
	.byte	0
	.byte	6
	.byte	9
	.long	.Ltmp27-.Ltmp13
	.byte	7
	.byte	3
	.byte	145
	.asciz	"\340"
	.byte	63
	.byte	4
	.byte	1
	.byte	11
	.long	764
	.byte	6
	.byte	10
	.long	.Ltmp15-.Ltmp14
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\334\001"
	.byte	70
	.byte	4
	.byte	1
	.byte	12
	.long	764
	.byte	0
	.byte	6
	.byte	11
	.long	.Ltmp27-.Ltmp16
	.byte	7
	.byte	3
	.byte	145
	.asciz	"\344"
	.byte	64
	.byte	4
	.byte	1
	.byte	12
	.long	764
	.byte	6
	.byte	12
	.long	.Ltmp18-.Ltmp17
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\350\001"
	.byte	32
	.byte	8
	.byte	1
	.byte	13
	.long	1144
	.byte	0
	.byte	6
	.byte	13
	.long	.Ltmp20-.Ltmp19
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\340\001"
	.byte	32
	.byte	8
	.byte	1
	.byte	13
	.long	1154
	.byte	0
	.byte	6
	.byte	14
	.long	.Ltmp27-.Ltmp21
	.byte	7
	.byte	3
	.byte	145
	.asciz	"\350"
	.byte	65
	.byte	8
	.byte	1
	.byte	13
	.long	990
	.byte	6
	.byte	15
	.long	.Ltmp23-.Ltmp22
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\360\001"
	.byte	32
	.byte	8
	.byte	1
	.byte	14
	.long	1154
	.byte	0
	.byte	6
	.byte	16
	.long	.Ltmp25-.Ltmp24
	.byte	7
	.byte	3
	.byte	145
	.ascii	"\370\001"
	.byte	32
	.byte	8
	.byte	1
	.byte	14
	.long	1154
	.byte	0
	.byte	6
	.byte	17
	.long	.Ltmp27-.Ltmp26
	.byte	7
	.byte	3
	.byte	145
	.asciz	"\360"
	.byte	66
	.byte	8
	.byte	1
	.byte	14
	.long	990
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	10
	.byte	18
	.long	.Lfunc_end2-.Lfunc_begin2
	.byte	1
	.byte	87
	.byte	22
	.byte	1
	.byte	19
	.long	990
	.byte	11
	.byte	36
	.byte	24
	.byte	1
	.byte	8
	.byte	12
	.long	509
	.byte	13
	.long	764
	.byte	4
	.byte	0
	.byte	14
	.byte	0
	.byte	15
	.byte	28
	.long	561
	.byte	8
	.byte	0
	.byte	0
	.byte	14
	.byte	1
	.byte	15
	.byte	29
	.long	566
	.byte	8
	.byte	0
	.byte	0
	.byte	14
	.byte	2
	.byte	15
	.byte	31
	.long	581
	.byte	8
	.byte	0
	.byte	0
	.byte	14
	.byte	3
	.byte	15
	.byte	35
	.long	605
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	16
	.byte	28
	.byte	24
	.byte	1
	.byte	8
	.byte	11
	.byte	29
	.byte	24
	.byte	1
	.byte	8
	.byte	17
	.byte	30
	.long	764
	.byte	4
	.byte	4
	.byte	1
	.byte	0
	.byte	11
	.byte	31
	.byte	24
	.byte	1
	.byte	8
	.byte	17
	.byte	32
	.long	1042
	.byte	4
	.byte	4
	.byte	1
	.byte	17
	.byte	34
	.long	990
	.byte	8
	.byte	8
	.byte	1
	.byte	0
	.byte	11
	.byte	35
	.byte	24
	.byte	1
	.byte	8
	.byte	17
	.byte	30
	.long	998
	.byte	8
	.byte	8
	.byte	1
	.byte	0
	.byte	0
	.byte	11
	.byte	51
	.byte	4
	.byte	1
	.byte	2
	.byte	12
	.long	631
	.byte	13
	.long	1028
	.byte	1
	.byte	0
	.byte	14
	.byte	0
	.byte	15
	.byte	48
	.long	661
	.byte	2
	.byte	0
	.byte	0
	.byte	14
	.byte	1
	.byte	15
	.byte	49
	.long	676
	.byte	2
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.byte	48
	.byte	4
	.byte	1
	.byte	2
	.byte	17
	.byte	30
	.long	1028
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	11
	.byte	49
	.byte	4
	.byte	1
	.byte	2
	.byte	17
	.byte	30
	.long	1066
	.byte	2
	.byte	2
	.byte	1
	.byte	0
	.byte	0
	.byte	11
	.byte	57
	.byte	2
	.byte	1
	.byte	1
	.byte	12
	.long	702
	.byte	13
	.long	1080
	.byte	1
	.byte	0
	.byte	14
	.byte	-3
	.byte	15
	.byte	55
	.long	732
	.byte	1
	.byte	0
	.byte	0
	.byte	14
	.byte	7
	.byte	15
	.byte	56
	.long	747
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.byte	55
	.byte	2
	.byte	1
	.byte	1
	.byte	17
	.byte	30
	.long	1028
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	11
	.byte	56
	.byte	2
	.byte	1
	.byte	1
	.byte	17
	.byte	30
	.long	1028
	.byte	1
	.byte	1
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	18
	.byte	5
	.byte	7
	.byte	4
	.byte	2
	.byte	7
	.byte	2
	.byte	8
	.byte	2
	.byte	9
	.byte	4
	.byte	1
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87
	.byte	17
	.byte	18
	.byte	2
	.byte	157
	.long	994
	.byte	5
	.byte	2
	.byte	145
	.byte	112
	.byte	15
	.byte	2
	.byte	157
	.long	998
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.byte	10
	.byte	2
	.byte	11
	.byte	19
	.byte	12
	.byte	13
	.byte	3
	.short	2532
	.long	990
	.byte	20
	.byte	15
	.byte	3
	.short	2532
	.long	990
	.byte	20
	.byte	16
	.byte	3
	.short	2532
	.long	990
	.byte	0
	.byte	0
	.byte	0
	.byte	2
	.byte	39
	.byte	11
	.byte	44
	.byte	8
	.byte	1
	.byte	8
	.byte	12
	.long	851
	.byte	13
	.long	990
	.byte	8
	.byte	0
	.byte	14
	.byte	0
	.byte	15
	.byte	40
	.long	880
	.byte	8
	.byte	0
	.byte	0
	.byte	21
	.byte	15
	.byte	43
	.long	892
	.byte	8
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.byte	40
	.byte	8
	.byte	1
	.byte	8
	.byte	22
	.long	1046
	.byte	42
	.byte	0
	.byte	11
	.byte	43
	.byte	8
	.byte	1
	.byte	8
	.byte	22
	.long	1046
	.byte	42
	.byte	17
	.byte	30
	.long	1046
	.byte	8
	.byte	0
	.byte	1
	.byte	0
	.byte	0
	.byte	11
	.byte	46
	.byte	8
	.byte	1
	.byte	4
	.byte	12
	.long	924
	.byte	13
	.long	764
	.byte	4
	.byte	0
	.byte	14
	.byte	0
	.byte	15
	.byte	40
	.long	954
	.byte	4
	.byte	0
	.byte	0
	.byte	14
	.byte	1
	.byte	15
	.byte	43
	.long	966
	.byte	4
	.byte	0
	.byte	0
	.byte	0
	.byte	11
	.byte	40
	.byte	8
	.byte	1
	.byte	4
	.byte	22
	.long	764
	.byte	42
	.byte	0
	.byte	11
	.byte	43
	.byte	8
	.byte	1
	.byte	4
	.byte	22
	.long	764
	.byte	42
	.byte	17
	.byte	30
	.long	764
	.byte	4
	.byte	4
	.byte	1
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.byte	18
	.byte	14
	.byte	7
	.byte	8
	.byte	18
	.byte	19
	.byte	7
	.byte	8
	.byte	23
	.byte	26
	.byte	16
	.byte	8
	.byte	15
	.byte	23
	.long	1019
	.byte	8
	.byte	0
	.byte	15
	.byte	25
	.long	994
	.byte	8
	.byte	8
	.byte	0
	.byte	24
	.long	1028
	.long	0
	.byte	18
	.byte	24
	.byte	7
	.byte	1
	.byte	25
	.long	499
	.byte	37
	.long	0
	.byte	18
	.byte	33
	.byte	5
	.byte	4
	.byte	25
	.long	764
	.byte	41
	.long	0
	.byte	25
	.long	621
	.byte	52
	.long	0
	.byte	18
	.byte	50
	.byte	5
	.byte	2
	.byte	25
	.long	692
	.byte	58
	.long	0
	.byte	18
	.byte	54
	.byte	5
	.byte	1
	.byte	23
	.byte	61
	.byte	16
	.byte	8
	.byte	15
	.byte	23
	.long	1105
	.byte	8
	.byte	0
	.byte	15
	.byte	25
	.long	994
	.byte	8
	.byte	8
	.byte	0
	.byte	24
	.long	1066
	.long	0
	.byte	25
	.long	1042
	.byte	67
	.long	0
	.byte	25
	.long	990
	.byte	68
	.long	0
	.byte	25
	.long	998
	.byte	69
	.long	0
	.byte	25
	.long	1066
	.byte	71
	.long	0
	.byte	25
	.long	1028
	.byte	72
	.long	0
	.byte	0
.Ldebug_info_end0:
	.section	.rodata._ZN4shop4FIVE17hc17267a9b793e94bE,"a",@progbits
.Lsec_end0:
	.section	".text._ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE","ax",@progbits
.Lsec_end1:
	.section	.text._ZN4shop4area17h00e83006107d77b8E,"ax",@progbits
.Lsec_end2:
	.section	.text.run,"ax",@progbits
.Lsec_end3:
	.section	.debug_aranges,"",@progbits
	.long	92
	.short	2
	.long	.Lcu_begin0
	.byte	8
	.byte	0
	.zero	4,255
	.quad	_ZN4shop4FIVE17hc17267a9b793e94bE
	.quad	.Lsec_end0-_ZN4shop4FIVE17hc17267a9b793e94bE
	.quad	.Lfunc_begin0
	.quad	.Lsec_end1-.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Lsec_end2-.Lfunc_begin1
	.quad	.Lfunc_begin2
	.quad	.Lsec_end3-.Lfunc_begin2
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
	.long	.Ldebug_list_header_end0-.Ldebug_list_header_start0
.Ldebug_list_header_start0:
	.short	5
	.byte	8
	.byte	0
	.long	1
.Lrnglists_table_base0:
	.long	.Ldebug_ranges0-.Lrnglists_table_base0
.Ldebug_ranges0:
	.byte	3
	.byte	1
	.uleb128 .Lfunc_end0-.Lfunc_begin0
	.byte	3
	.byte	2
	.uleb128 .Lfunc_end1-.Lfunc_begin1
	.byte	3
	.byte	18
	.uleb128 .Lfunc_end2-.Lfunc_begin2
	.byte	0
.Ldebug_list_header_end0:
	.section	.debug_str_offsets,"",@progbits
	.long	296
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"clang LLVM (rustc version 1.95.0 (59807616e 2026-04-14))"
.Linfo_string1:
	.asciz	"shop.rs/@/shop.f19fb8420c33ecb3-cgu.0"
.Linfo_string2:
	.asciz	"/shop"
.Linfo_string3:
	.asciz	"shop"
.Linfo_string4:
	.asciz	"FIVE"
.Linfo_string5:
	.asciz	"u32"
.Linfo_string6:
	.asciz	"_ZN4shop4FIVE17hc17267a9b793e94bE"
.Linfo_string7:
	.asciz	"core"
.Linfo_string8:
	.asciz	"str"
.Linfo_string9:
	.asciz	"{impl#0}"
.Linfo_string10:
	.asciz	"len"
.Linfo_string11:
	.asciz	"_ZN4core3str21_$LT$impl$u20$str$GT$3len17h2d248b9bfeb1c0eeE"
.Linfo_string12:
	.asciz	"num"
.Linfo_string13:
	.asciz	"{impl#9}"
.Linfo_string14:
	.asciz	"_RNvMs7_NtCsgEmfK2I1SDS_4core3numy12wrapping_mul"
.Linfo_string15:
	.asciz	"wrapping_mul"
.Linfo_string16:
	.asciz	"u64"
.Linfo_string17:
	.asciz	"self"
.Linfo_string18:
	.asciz	"rhs"
.Linfo_string19:
	.asciz	"area"
.Linfo_string20:
	.asciz	"_ZN4shop4area17h00e83006107d77b8E"
.Linfo_string21:
	.asciz	"run"
.Linfo_string22:
	.asciz	"usize"
.Linfo_string23:
	.asciz	"&str"
.Linfo_string24:
	.asciz	"data_ptr"
.Linfo_string25:
	.asciz	"u8"
.Linfo_string26:
	.asciz	"length"
.Linfo_string27:
	.asciz	"s"
.Linfo_string28:
	.asciz	"&shop::Shape"
.Linfo_string29:
	.asciz	"Shape"
.Linfo_string30:
	.asciz	"Empty"
.Linfo_string31:
	.asciz	"Dot"
.Linfo_string32:
	.asciz	"__0"
.Linfo_string33:
	.asciz	"Circle"
.Linfo_string34:
	.asciz	"x"
.Linfo_string35:
	.asciz	"i32"
.Linfo_string36:
	.asciz	"r"
.Linfo_string37:
	.asciz	"Named"
.Linfo_string38:
	.asciz	"o"
.Linfo_string39:
	.asciz	"option"
.Linfo_string40:
	.asciz	"Option<&u32>"
.Linfo_string41:
	.asciz	"None"
.Linfo_string42:
	.asciz	"&u32"
.Linfo_string43:
	.asciz	"T"
.Linfo_string44:
	.asciz	"Some"
.Linfo_string45:
	.asciz	"m"
.Linfo_string46:
	.asciz	"Option<u32>"
.Linfo_string47:
	.asciz	"n"
.Linfo_string48:
	.asciz	"&shop::Narrow"
.Linfo_string49:
	.asciz	"Narrow"
.Linfo_string50:
	.asciz	"A"
.Linfo_string51:
	.asciz	"B"
.Linfo_string52:
	.asciz	"i16"
.Linfo_string53:
	.asciz	"g"
.Linfo_string54:
	.asciz	"&shop::Signed"
.Linfo_string55:
	.asciz	"Signed"
.Linfo_string56:
	.asciz	"i8"
.Linfo_string57:
	.asciz	"Low"
.Linfo_string58:
	.asciz	"High"
.Linfo_string59:
	.asciz	"t"
.Linfo_string60:
	.asciz	"l"
.Linfo_string61:
	.asciz	"&[i16]"
.Linfo_string62:
	.asciz	"a"
.Linfo_string63:
	.asciz	"b"
.Linfo_string64:
	.asciz	"c"
.Linfo_string65:
	.asciz	"d"
.Linfo_string66:
	.asciz	"e"
.Linfo_string67:
	.asciz	"&i32"
.Linfo_string68:
	.asciz	"&u64"
.Linfo_string69:
	.asciz	"&&str"
.Linfo_string70:
	.asciz	"v"
.Linfo_string71:
	.asciz	"&i16"
.Linfo_string72:
	.asciz	"&u8"
	.section	.debug_str_offsets,"",@progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.long	.Linfo_string3
	.long	.Linfo_string4
	.long	.Linfo_string5
	.long	.Linfo_string6
	.long	.Linfo_string7
	.long	.Linfo_string8
	.long	.Linfo_string9
	.long	.Linfo_string12
	.long	.Linfo_string13
	.long	.Linfo_string14
	.long	.Linfo_string15
	.long	.Linfo_string16
	.long	.Linfo_string17
	.long	.Linfo_string18
	.long	.Linfo_string11
	.long	.Linfo_string10
	.long	.Linfo_string22
	.long	.Linfo_string20
	.long	.Linfo_string19
	.long	.Linfo_string21
	.long	.Linfo_string24
	.long	.Linfo_string25
	.long	.Linfo_string26
	.long	.Linfo_string23
	.long	.Linfo_string27
	.long	.Linfo_string30
	.long	.Linfo_string31
	.long	.Linfo_string32
	.long	.Linfo_string33
	.long	.Linfo_string34
	.long	.Linfo_string35
	.long	.Linfo_string36
	.long	.Linfo_string37
	.long	.Linfo_string29
	.long	.Linfo_string28
	.long	.Linfo_string38
	.long	.Linfo_string39
	.long	.Linfo_string41
	.long	.Linfo_string42
	.long	.Linfo_string43
	.long	.Linfo_string44
	.long	.Linfo_string40
	.long	.Linfo_string45
	.long	.Linfo_string46
	.long	.Linfo_string47
	.long	.Linfo_string50
	.long	.Linfo_string51
	.long	.Linfo_string52
	.long	.Linfo_string49
	.long	.Linfo_string48
	.long	.Linfo_string53
	.long	.Linfo_string56
	.long	.Linfo_string57
	.long	.Linfo_string58
	.long	.Linfo_string55
	.long	.Linfo_string54
	.long	.Linfo_string59
	.long	.Linfo_string60
	.long	.Linfo_string61
	.long	.Linfo_string62
	.long	.Linfo_string63
	.long	.Linfo_string64
	.long	.Linfo_string65
	.long	.Linfo_string66
	.long	.Linfo_string67
	.long	.Linfo_string68
	.long	.Linfo_string69
	.long	.Linfo_string70
	.long	.Linfo_string71
	.long	.Linfo_string72
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0
.Ldebug_addr_start0:
	.short	5
	.byte	8
	.byte	0
.Laddr_table_base0:
	.quad	_ZN4shop4FIVE17hc17267a9b793e94bE
	.quad	.Lfunc_begin0
	.quad	.Lfunc_begin1
	.quad	.Ltmp3
	.quad	.Ltmp5
	.quad	.Ltmp6
	.quad	.Ltmp9
	.quad	.Ltmp10
	.quad	.Ltmp11
	.quad	.Ltmp13
	.quad	.Ltmp14
	.quad	.Ltmp16
	.quad	.Ltmp17
	.quad	.Ltmp19
	.quad	.Ltmp21
	.quad	.Ltmp22
	.quad	.Ltmp24
	.quad	.Ltmp26
	.quad	.Lfunc_begin2
.Ldebug_addr_end0:
	.section	.debug_names,"",@progbits
	.long	.Lnames_end0-.Lnames_start0
.Lnames_start0:
	.short	5
	.short	0
	.long	1
	.long	0
	.long	0
	.long	24
	.long	49
	.long	.Lnames_abbrev_end0-.Lnames_abbrev_start0
	.long	8
	.ascii	"LLVM0700"
	.long	.Lcu_begin0
	.long	1
	.long	2
	.long	4
	.long	9
	.long	11
	.long	0
	.long	12
	.long	16
	.long	19
	.long	0
	.long	20
	.long	22
	.long	25
	.long	26
	.long	31
	.long	32
	.long	33
	.long	0
	.long	34
	.long	0
	.long	38
	.long	41
	.long	42
	.long	46
	.long	-2107449736
	.long	2087955289
	.long	2090730937
	.long	5863826
	.long	180712010
	.long	193505114
	.long	-663015734
	.long	-217864358
	.long	580737363
	.long	-1738516501
	.long	193506244
	.long	193506174
	.long	261241278
	.long	318227550
	.long	2090087070
	.long	2090257519
	.long	-1402106625
	.long	-159777129
	.long	193422296
	.long	375973042
	.long	-1741294254
	.long	193493075
	.long	1730948627
	.long	2087955227
	.long	257973300
	.long	193500757
	.long	277156213
	.long	2087968357
	.long	2090328901
	.long	2090551285
	.long	5863430
	.long	2090723391
	.long	-1719450696
	.long	147706218
	.long	268211562
	.long	2087968458
	.long	-1738516798
	.long	193489676
	.long	193498052
	.long	2087968388
	.long	193493013
	.long	177670
	.long	274380022
	.long	2090156110
	.long	-1632009690
	.long	177671
	.long	193498391
	.long	193506143
	.long	466005599
	.long	.Linfo_string14
	.long	.Linfo_string67
	.long	.Linfo_string44
	.long	.Linfo_string25
	.long	.Linfo_string69
	.long	.Linfo_string21
	.long	.Linfo_string6
	.long	.Linfo_string15
	.long	.Linfo_string54
	.long	.Linfo_string13
	.long	.Linfo_string16
	.long	.Linfo_string8
	.long	.Linfo_string49
	.long	.Linfo_string39
	.long	.Linfo_string19
	.long	.Linfo_string4
	.long	.Linfo_string11
	.long	.Linfo_string33
	.long	.Linfo_string72
	.long	.Linfo_string48
	.long	.Linfo_string46
	.long	.Linfo_string35
	.long	.Linfo_string61
	.long	.Linfo_string71
	.long	.Linfo_string30
	.long	.Linfo_string12
	.long	.Linfo_string22
	.long	.Linfo_string42
	.long	.Linfo_string58
	.long	.Linfo_string41
	.long	.Linfo_string56
	.long	.Linfo_string3
	.long	.Linfo_string40
	.long	.Linfo_string28
	.long	.Linfo_string37
	.long	.Linfo_string68
	.long	.Linfo_string9
	.long	.Linfo_string31
	.long	.Linfo_string10
	.long	.Linfo_string23
	.long	.Linfo_string52
	.long	.Linfo_string50
	.long	.Linfo_string29
	.long	.Linfo_string7
	.long	.Linfo_string20
	.long	.Linfo_string51
	.long	.Linfo_string57
	.long	.Linfo_string5
	.long	.Linfo_string55
	.long	.Lnames15-.Lnames_entries0
	.long	.Lnames44-.Lnames_entries0
	.long	.Lnames31-.Lnames_entries0
	.long	.Lnames19-.Lnames_entries0
	.long	.Lnames46-.Lnames_entries0
	.long	.Lnames16-.Lnames_entries0
	.long	.Lnames3-.Lnames_entries0
	.long	.Lnames14-.Lnames_entries0
	.long	.Lnames38-.Lnames_entries0
	.long	.Lnames10-.Lnames_entries0
	.long	.Lnames11-.Lnames_entries0
	.long	.Lnames5-.Lnames_entries0
	.long	.Lnames34-.Lnames_entries0
	.long	.Lnames27-.Lnames_entries0
	.long	.Lnames12-.Lnames_entries0
	.long	.Lnames2-.Lnames_entries0
	.long	.Lnames8-.Lnames_entries0
	.long	.Lnames24-.Lnames_entries0
	.long	.Lnames48-.Lnames_entries0
	.long	.Lnames33-.Lnames_entries0
	.long	.Lnames32-.Lnames_entries0
	.long	.Lnames25-.Lnames_entries0
	.long	.Lnames43-.Lnames_entries0
	.long	.Lnames47-.Lnames_entries0
	.long	.Lnames22-.Lnames_entries0
	.long	.Lnames9-.Lnames_entries0
	.long	.Lnames17-.Lnames_entries0
	.long	.Lnames30-.Lnames_entries0
	.long	.Lnames42-.Lnames_entries0
	.long	.Lnames29-.Lnames_entries0
	.long	.Lnames40-.Lnames_entries0
	.long	.Lnames0-.Lnames_entries0
	.long	.Lnames28-.Lnames_entries0
	.long	.Lnames20-.Lnames_entries0
	.long	.Lnames26-.Lnames_entries0
	.long	.Lnames45-.Lnames_entries0
	.long	.Lnames6-.Lnames_entries0
	.long	.Lnames23-.Lnames_entries0
	.long	.Lnames7-.Lnames_entries0
	.long	.Lnames18-.Lnames_entries0
	.long	.Lnames37-.Lnames_entries0
	.long	.Lnames35-.Lnames_entries0
	.long	.Lnames21-.Lnames_entries0
	.long	.Lnames4-.Lnames_entries0
	.long	.Lnames13-.Lnames_entries0
	.long	.Lnames36-.Lnames_entries0
	.long	.Lnames41-.Lnames_entries0
	.long	.Lnames1-.Lnames_entries0
	.long	.Lnames39-.Lnames_entries0
.Lnames_abbrev_start0:
	.byte	1
	.byte	29
	.byte	3
	.byte	19
	.byte	4
	.byte	25
	.byte	0
	.byte	0
	.byte	2
	.byte	15
	.byte	3
	.byte	19
	.byte	4
	.byte	25
	.byte	0
	.byte	0
	.byte	3
	.byte	19
	.byte	3
	.byte	19
	.byte	4
	.byte	19
	.byte	0
	.byte	0
	.byte	4
	.byte	36
	.byte	3
	.byte	19
	.byte	4
	.byte	25
	.byte	0
	.byte	0
	.byte	5
	.byte	46
	.byte	3
	.byte	19
	.byte	4
	.byte	19
	.byte	0
	.byte	0
	.byte	6
	.byte	52
	.byte	3
	.byte	19
	.byte	4
	.byte	19
	.byte	0
	.byte	0
	.byte	7
	.byte	57
	.byte	3
	.byte	19
	.byte	4
	.byte	19
	.byte	0
	.byte	0
	.byte	8
	.byte	19
	.byte	3
	.byte	19
	.byte	4
	.byte	25
	.byte	0
	.byte	0
	.byte	9
	.byte	57
	.byte	3
	.byte	19
	.byte	4
	.byte	25
	.byte	0
	.byte	0
	.byte	0
.Lnames_abbrev_end0:
.Lnames_entries0:
.Lnames15:
.L34:
	.byte	1
	.long	210
	.byte	0
.Lnames44:
.L4:
	.byte	2
	.long	1114
	.byte	0
.Lnames31:
.L14:
	.byte	3
	.long	892
	.long	.L13-.Lnames_entries0
.L45:
	.byte	3
	.long	966
	.long	.L9-.Lnames_entries0
	.byte	0
.Lnames19:
.L11:
	.byte	4
	.long	1028
	.byte	0
.Lnames46:
.L16:
	.byte	2
	.long	1134
	.byte	0
.Lnames16:
.L24:
	.byte	5
	.long	484
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames3:
.L23:
	.byte	6
	.long	45
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames14:
	.byte	1
	.long	210
	.byte	0
.Lnames38:
.L7:
	.byte	2
	.long	1070
	.byte	0
.Lnames10:
.L29:
	.byte	7
	.long	806
	.long	.L15-.Lnames_entries0
	.byte	0
.Lnames11:
.L44:
	.byte	4
	.long	990
	.byte	0
.Lnames5:
.L0:
	.byte	7
	.long	770
	.long	.L33-.Lnames_entries0
	.byte	0
.Lnames34:
.L6:
	.byte	3
	.long	621
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames27:
.L1:
	.byte	7
	.long	839
	.long	.L33-.Lnames_entries0
	.byte	0
.Lnames12:
.L12:
	.byte	5
	.long	58
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames2:
	.byte	6
	.long	45
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames8:
.L46:
	.byte	5
	.long	774
	.long	.L43-.Lnames_entries0
	.byte	0
.Lnames24:
.L18:
	.byte	3
	.long	581
	.long	.L2-.Lnames_entries0
	.byte	0
.Lnames48:
.L17:
	.byte	2
	.long	1154
	.byte	0
.Lnames33:
.L10:
	.byte	2
	.long	1056
	.byte	0
.Lnames32:
.L9:
	.byte	3
	.long	914
	.long	.L1-.Lnames_entries0
	.byte	0
.Lnames25:
.L19:
	.byte	4
	.long	1042
	.byte	0
.Lnames43:
.L26:
	.byte	8
	.long	1084
	.byte	0
.Lnames47:
.L37:
	.byte	2
	.long	1144
	.byte	0
.Lnames22:
.L42:
	.byte	3
	.long	561
	.long	.L2-.Lnames_entries0
	.byte	0
.Lnames9:
.L15:
	.byte	7
	.long	804
	.long	.L33-.Lnames_entries0
	.byte	0
.Lnames17:
.L35:
	.byte	4
	.long	994
	.byte	0
.Lnames30:
.L25:
	.byte	2
	.long	1046
	.byte	0
.Lnames42:
.L27:
	.byte	3
	.long	747
	.long	.L36-.Lnames_entries0
	.byte	0
.Lnames29:
.L40:
	.byte	3
	.long	880
	.long	.L13-.Lnames_entries0
.L22:
	.byte	3
	.long	954
	.long	.L9-.Lnames_entries0
	.byte	0
.Lnames40:
.L20:
	.byte	4
	.long	1080
	.byte	0
.Lnames0:
.L28:
	.byte	9
	.long	43
	.byte	0
.Lnames28:
.L13:
	.byte	3
	.long	841
	.long	.L1-.Lnames_entries0
	.byte	0
.Lnames20:
.L31:
	.byte	2
	.long	1032
	.byte	0
.Lnames26:
.L41:
	.byte	3
	.long	605
	.long	.L2-.Lnames_entries0
	.byte	0
.Lnames45:
.L39:
	.byte	2
	.long	1124
	.byte	0
.Lnames6:
.L43:
	.byte	7
	.long	772
	.long	.L0-.Lnames_entries0
	.byte	0
.Lnames23:
.L30:
	.byte	3
	.long	566
	.long	.L2-.Lnames_entries0
	.byte	0
.Lnames7:
	.byte	5
	.long	774
	.long	.L43-.Lnames_entries0
	.byte	0
.Lnames18:
.L8:
	.byte	8
	.long	998
	.byte	0
.Lnames37:
.L38:
	.byte	4
	.long	1066
	.byte	0
.Lnames35:
.L21:
	.byte	3
	.long	661
	.long	.L6-.Lnames_entries0
	.byte	0
.Lnames21:
.L2:
	.byte	3
	.long	499
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames4:
.L33:
	.byte	9
	.long	768
	.byte	0
.Lnames13:
	.byte	5
	.long	58
	.long	.L28-.Lnames_entries0
	.byte	0
.Lnames36:
.L5:
	.byte	3
	.long	676
	.long	.L6-.Lnames_entries0
	.byte	0
.Lnames41:
.L3:
	.byte	3
	.long	732
	.long	.L36-.Lnames_entries0
	.byte	0
.Lnames1:
.L32:
	.byte	4
	.long	764
	.byte	0
.Lnames39:
.L36:
	.byte	3
	.long	692
	.long	.L28-.Lnames_entries0
	.byte	0
	.p2align	2, 0x0
.Lnames_end0:
	.ident	"rustc version 1.95.0 (59807616e 2026-04-14)"
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
