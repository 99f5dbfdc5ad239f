#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# What a driver has mapped from a device is not read, in no way: it could make the device act. Memory that is mapped in the same
# range is read.
. "$SRCDIR/testsuite/lib/process.sh"

for release in $(kernels); do
	module mapped --debuginfo=btf -e 'global at
probe begin {
	printf("0x%x\n", at)
	try { printf("%d\n", kernel_char(at) & 0) } catch (e) { println(e) }
	try { printf("%d\n", kernel_short(at + 2) & 0) } catch (e) { println(e) }
	try { printf("%d\n", kernel_int(at + 4) & 0) } catch (e) { println(e) }
	try { printf("%d\n", kernel_long(at + 8) & 0) } catch (e) { println(e) }
	try { printf("%d\n", @cast(at, "list_head", "kernel")->prev & 0) } catch (e) { println(e) }
	try { println(strlen(kernel_string(at)) & 0) } catch (e) { println(e) }
	try { println(strlen(kernel_string_n(at + 16, 4)) & 0) } catch (e) { println(e) }
	try { println(strlen(sprintf("%4m", at + 24)) & 0) } catch (e) { println(e) }
	exit()
}'
	# Not ACPI and memremap(), which map memory too. Without kptr_restrict the file has hashes for addresses.
	# shellcheck disable=SC2016
	in_guest 'echo 1 >/proc/sys/kernel/kptr_restrict
device=$(sed -n "/acpi\|memremap/d; s/-.* ioremap.*//p" /proc/vmallocinfo | sed -n 1p)
memory=$(sed -n "s/-.* \(vmap\|vmalloc\)\( .*\)*$//p" /proc/vmallocinfo | sed -n 1p)
"$KTAPRUN" -G at=$device kt_mapped.ko >$RESULTS/device 2>&1 </dev/null
"$KTAPRUN" -G at=$memory kt_mapped.ko >$RESULTS/memory 2>&1 </dev/null'
	boot

	sed 1d results/memory >out
	yes 0 | head -n 8 >want
	expect <want
	cp results/device out
	page=$(sed '1s/...$//; q' out)
	{
		printf "${page}%03x\n" 0
		printf "read fault at ${page}%03x: memory of a device\n" 0 2 4 8 8
		printf "kernel string copy fault at ${page}%03x: memory of a device\n" 0 16
		printf "read fault at ${page}%03x: memory of a device\n" 24
	} >want
	expect <want
done
