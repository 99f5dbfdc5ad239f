#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: X86_64 SUSPEND HIBERNATION BLK_DEV_NVME=y KEXEC_FILE RTC_DRV_CMOS=y
# Probes are armed in the code that resumes a processor, and at returns of functions that never return because the machine
# continues elsewhere. The machine resumes from RAM twice and from disk once, in a second boot. Returns that were not hooked are counted. After
# a panic, kexec starts the dump kernel. The test boots its own VM, because virtiofs prevents ktap-vm's from suspending.
. "$SRCDIR/testsuite/lib/process.sh"

for name in '*idt*' '*gdt*' '*_tr_desc' 'native_write_*' 'cr4_*' '*cpu_init*' '*cc_platform_has' '*ghcb*' \
	'start_secondary*' '*processor_state' '*suspend*' '*resume*' '*wakeup*' '*kexec*' 'native_machine_*' 'cpuhp_*' 'mtrr_*' \
	'*ucode*' 'x86_*' '*hibernat*' '*swsusp*' '*restore*'; do
	echo "kprobe.function(\"$name\")?,"
done >points
for name in '*acpi_*' 'pm_*' '*suspend*' '*hibernat*' '*swsusp*' 'syscore_*' 'native_*' 'out*'; do
	echo "kprobe.function(\"$name\").return?,"
done >returns
program crash-kernel -static <<'END'
#include <fcntl.h>
#include <linux/kexec.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	const char *command_line = "console=ttyS0 panic=-1 second-kernel";

	if (syscall(SYS_kexec_file_load, open("/vmlinuz", O_RDONLY), -1, strlen(command_line) + 1, command_line,
		    KEXEC_FILE_ON_CRASH | KEXEC_FILE_NO_INITRAMFS) == 0)
		return 0;
	perror("kexec_file_load");
	return 1;
}
END
mkdir -p root/proc root/sys root/dev root/tmp
busybox=$(command -v busybox)
# shellcheck disable=SC2046
cp -L --parents $(ldd "$BUILDDIR/ktaprun" | grep -o '/[^ ]*') "$busybox" root
cp "$BUILDDIR/ktaprun" crash-kernel root
cat >root/init <<END
#!$busybox sh
busybox=$busybox
END
cat >>root/init <<'END'
$busybox mount -t proc none /proc
$busybox mount -t sysfs none /sys
$busybox mount -t devtmpfs none /dev
$busybox mount -t debugfs none /sys/kernel/debug
echo 1 >/proc/sys/kernel/printk
/crash-kernel
/ktaprun -v /kt_resume.ko 2>/tmp/err &
until $busybox grep 'places armed' /tmp/err; do $busybox sleep 0.2; done
/ktaprun -v /kt_unhooked.ko 2>/tmp/unhooked &
unhooked=$!
until $busybox grep 'places armed' /tmp/unhooked; do $busybox sleep 0.2; done
for turn in 1 2; do
	# An alarm that comes before the machine sleeps wakes nobody.
	echo +12 >/sys/class/rtc/rtc0/wakealarm
	echo mem >/sys/power/state && echo "resumed $turn"
done
$busybox mkswap /dev/nvme0n1
$busybox swapon /dev/nvme0n1
echo reboot >/sys/power/disk
echo disk >/sys/power/state && echo "resumed from disk"
$busybox dmesg | $busybox grep -E 'BUG:|WARNING:|Call Trace|ACPI: PM: Waking'
kill $unhooked
wait $unhooked
$busybox cat /tmp/unhooked
echo c >/proc/sysrq-trigger
END
chmod 755 root/init

# As ktap-vm's boots: a busy host is no fault of the kernel.
patient='no_timer_check watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=180'
for release in $(kernels); do
	module resume -e "global n
probe $(cat points returns) kprobe.function(\"schedule\") { n++ }
probe end { println(n) }"
	module unhooked -e 'probe kprobe.function("acpi_suspend_enter").return { println("hooked") }'
	cp kt_resume.ko kt_unhooked.ko root
	cp "$(image "$release")" root/vmlinuz
	(cd root && find . | busybox cpio -o -H newc >../initramfs 2>/dev/null) || fail "no initramfs"
	truncate -s 1G disk
	for turn in 1 2; do
		timeout "$limit" qemu-system-x86_64 -M q35 -accel tcg,thread=single -smp 2 -m 1024 -nodefaults -display none \
			-no-reboot -serial "file:console$turn" -kernel root/vmlinuz -initrd initramfs \
			-drive file=disk,format=raw,if=none,id=disk -device nvme,drive=disk,serial=1 \
			-append "console=ttyS0 quiet no_console_suspend panic=-1 crashkernel=256M resume=/dev/nvme0n1 resumewait $patient" \
			>err 2>&1 || fail "QEMU on $release"
	done
	rm disk
	cat console1 console2 | tr -d '\r' >out
	for line in 'ktaprun: .* places armed' 'ACPI: PM: Waking' '^resumed 1' '^resumed 2' '^resumed from disk' \
		'unhooked return: .*: [2-9]$' 'Kernel command line:.* second-kernel'; do
		printed "$line"
	done
	! grep -E 'BUG:|WARNING: CPU' out || fail "a complaint on $release"
done
