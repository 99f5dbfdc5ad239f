/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A guest that asks whether QEMU forgets a breakpoint that another CPU takes away (cli/vm/threads.c). It is the end of a BIOS image and runs
 * from the reset vector, so it needs no firmware.
 *
 * CPU 0 writes an int3 over the last instruction but one of a long function, lets CPU 1 call the function, and writes the instruction back
 * meanwhile. CPU 1 then acknowledges, serialized by cpuid, as the kernel's text_poke_bp() has it; an int3 after that is a fault. CPU 1
 * enters the function at many places. Each is a block that QEMU translates anew after a write, and the translation is the moment at which
 * the emulator can miss the other CPU's write.
 */
	.section .rodata
	.globl threads_guest, threads_guest_end
	.balign 16
threads_guest:

#ifdef __x86_64__

#define ROUNDS 16
#define ENTRIES 32                /* the most that CPU 1 calls in a round */
#define ENTRY_STEP 4              /* bytes of the function from entry to entry */
#define BODY 430                  /* bytes before the one that changes; QEMU translates at most 512 instructions at once */
#define LATEST 4                  /* the int3 goes while one of the first entries is translated, a power of 2 */
#define DELAY 131072              /* and up to so many turns of a loop after its call, a power of 2: as long as a translation takes */

#define IDT 0x1000
#define STACK_0 0x3000
#define STACK_1 0x4000
#define WORDS 0x5000              /* the variables */
#define HERE 0x8000               /* this code, copied; CPU 1 starts there, as a startup interrupt has a page's number */
#define FUNCTION 0x10000
#define PLACE (FUNCTION + BODY)   /* the byte that changes */

#define STEP (WORDS + 0)          /* CPU 0: odd: the int3 is there, call; even: it is gone, check */
#define SEEN (WORDS + 4)          /* CPU 1: the last step that it has finished */
#define ENTERED (WORDS + 8)       /* CPU 1: entries of this step that it has come to */
#define CHECKS (WORDS + 12)       /* CPU 1: an int3 is a fault */
#define HITS (WORDS + 16)
#define FAULTS (WORDS + 20)
#define ALIVE (WORDS + 24)

#define APIC 0xfee00000
#define APIC_SPURIOUS (APIC + 0xf0)
#define APIC_COMMAND (APIC + 0x300)
#define APIC_RECEIVER (APIC + 0x310)
#define EXIT_PORT 0xf4            /* isa-debug-exit */

/* Addresses in the ROM, which ends at 4 GB, and in the copy. */
#define ROM(label) ((label) - threads_guest_end)
#define RAM(label) ((label) - threads_guest + HERE)

/* CPU 1. */
	.code16
	cli
	lgdtl %cs:gdt_pointer - threads_guest
	movl $0x11, %eax
	movl %eax, %cr0
	ljmpl $8, $RAM(cpu_1)

	.code32
cpu_1:
	movl $0x10, %eax
	movl %eax, %ds
	movl %eax, %es
	movl %eax, %ss
	movl $STACK_1, %esp
	lidtl RAM(idt_pointer)
	movl $1, ALIVE
	movl $1, %edi             /* the step to come */
next_step:
	cmpl %edi, STEP
	jne next_step
	xorl %eax, %eax
	cpuid
	movl %edi, %eax
	xorl $1, %eax
	andl $1, %eax
	movl %eax, CHECKS
	jnz 1f
	movl $ENTRIES, %ebp       /* the entries to call; a check calls those of the step before */
1:	movl $FUNCTION, %esi
	xorl %ecx, %ecx
next_entry:
	incl %ecx
	movl %ecx, ENTERED
	call *%esi
	addl $ENTRY_STEP, %esi
	cmpl %ebp, %ecx
	je finished
	cmpl $0, CHECKS
	jne next_entry
	cmpl %edi, STEP
	je next_entry
finished:
	movl %ecx, %ebp
	movl %edi, SEEN
	incl %edi
	jmp next_step

breakpoint:
	incl HITS
	pushl %eax
	movl CHECKS, %eax
	addl %eax, FAULTS
	popl %eax
	iretl

/* CPU 0. */
cpu_0:
	movl $0x10, %eax
	movl %eax, %ds
	movl %eax, %es
	movl %eax, %ss
	movl $STACK_0, %esp
	cld
	movl $ROM(threads_guest), %esi
	movl $HERE, %edi
	movl $threads_guest_end - threads_guest, %ecx
	rep movsb
	movl $RAM(in_ram), %eax
	jmp *%eax
in_ram:
	/* The gate of int3. */
	movl $(RAM(breakpoint) | 8 << 16), IDT + 3 * 8
	movl $0x8e00, IDT + 3 * 8 + 4
	/* The function: inc %eax, and so on, nop, ret. */
	movl $FUNCTION, %edi
	movl $BODY, %ecx
	movb $0x40, %al
	rep stosb
	movw $0xc390, (%edi)
	/* CPU 1 starts. */
	orl $0x100, APIC_SPURIOUS
	movl $1 << 24, APIC_RECEIVER
	movl $0x4500, APIC_COMMAND
start:
	movl $0x4600 + HERE / 4096, APIC_COMMAND
	movl $1000000, %ecx
1:	cmpl $1, ALIVE
	je started
	loop 1b
	jmp start
started:
	movl $1, %ebx             /* the step */
	movl $12345, %ebp         /* random numbers */
next_round:
	imull $1103515245, %ebp, %ebp
	addl $12345, %ebp
	movl %ebp, %esi
	shrl $8, %esi             /* the low bits are less random */
	movl %esi, %edi
	andl $LATEST - 1, %esi    /* the entry at which the int3 goes */
	incl %esi
	shrl $2, %edi
	andl $DELAY - 1, %edi     /* and how long after it */
	incl %edi
	movl $0, ENTERED
	movb $0xcc, PLACE
	movl %ebx, STEP
2:	cmpl %esi, ENTERED
	jb 2b
3:	decl %edi
	jnz 3b
	movb $0x90, PLACE
	incl %ebx
	movl %ebx, STEP
4:	cmpl %ebx, SEEN
	jne 4b
	incl %ebx
	cmpl $0, FAULTS
	jne broken
	cmpl $2 * ROUNDS, %ebx
	jb next_round
	movb $0x20, %al           /* threads.c has the three numbers */
	cmpl $0, HITS
	jne leave
	movb $0x22, %al
	jmp leave
broken:
	movb $0x21, %al
leave:
	outb %al, $EXIT_PORT
	hlt
	jmp leave

	.balign 8
gdt:
	.quad 0
	.quad 0x00cf9b000000ffff  /* code */
	.quad 0x00cf93000000ffff  /* data */
gdt_pointer:
	.word gdt_pointer - gdt - 1
	.long ROM(gdt)
idt_pointer:
	.word 4 * 8 - 1
	.long IDT

	.code16
reset:
	cli
	lgdtl %cs:ROM(gdt_pointer) + 0x10000
	movl $0x11, %eax
	movl %eax, %cr0
	ljmpl $8, $ROM(cpu_0)

	.balign 16
	jmp reset                 /* the reset vector: the last 16 bytes */
	.balign 16
#endif
threads_guest_end:

	.section .note.GNU-stack, "", %progbits
