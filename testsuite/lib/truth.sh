# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by testsuite/run-vm/module-*.sh: the module of testsuite/lib/truth/ for each kernel.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/sh.sh"

TRUTH=$SRCDIR/testsuite/lib/truth

# build R DIR: the module, with DWARF, in DIR.
build()
{
	mkdir -p "$2"
	cp "$TRUTH"/*.[ch] "$TRUTH/Kbuild" "$2"
	make -s -C "/lib/modules/$1/build" "M=$2" modules >"$2/log" 2>&1 || { cat "$2/log"; exit 1; }
}

# only_btf R DIR: the same without DWARF in DIR/btf; false: there is nothing to make BTF with. Of its own accord, as in a kernel's build,
# pahole since 1.29 leaves out functions that return structures.
only_btf()
{
	mkdir -p "$2/btf"
	cp "$2/ktap_truth.ko" "$2/btf"
	features=
	if pahole --supported_btf_features >/dev/null 2>&1; then
		features=--btf_features=encode_force,var,float,decl_tag,type_tag,enum64,distilled_base
		objcopy -R .BTF -R .BTF.base "$2/btf/ktap_truth.ko"
	fi
	# shellcheck disable=SC2086
	readelf -SW "$2/btf/ktap_truth.ko" | grep -q '\.BTF ' ||
		pahole -J $features --btf_base "/usr/lib/debug/boot/vmlinux-$1" "$2/btf/ktap_truth.ko" 2>/dev/null || return 1
	objcopy --strip-debug "$2/btf/ktap_truth.ko"
	! readelf -SW "$2/btf/ktap_truth.ko" | grep -q '\.debug_info'
}

# watch R KO SCRIPT NUMBER...: runs the script on the module, which is loaded later and gets the numbers; its lines, sorted.
watch()
{
	R=$1 ko=$2 script=$3
	shift 3
	echo "insmod $ko" >guest
	for number; do
		echo "echo $number >/sys/module/ktap_truth/parameters/go"
	done >>guest
	echo "rmmod ktap_truth; dmesg >&2; true" >>guest
	limit=1200 ktap "--vm=$R" -c "sh $PWD/guest" "$TRUTH/$script" "$ko"
	accepted
	if grep -qE 'BUG:|Oops|Call Trace|unpatched' err; then
		grep -vE '^WARNING: probe' err | tail -n 200
		fail "the kernel complains"
	fi
	LC_ALL=C sort out >sorted
}
