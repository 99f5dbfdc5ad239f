# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by testsuite/run-vm/module-*.sh: the module of testsuite/lib/truth/ for each kernel.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/process.sh"

TRUTH=$SRCDIR/testsuite/lib/truth

# build DIR: the module for $release, with DWARF, in DIR.
build()
{
	mkdir -p "$1"
	cp "$TRUTH"/*.[ch] "$TRUTH/Kbuild" "$1"
	make -s -C "/lib/modules/$release/build" "M=$1" modules >"$1/log" 2>&1 || fail "cannot build: $(cat "$1/log")"
}

# only_btf DIR: the same without DWARF in DIR/btf; false: there is nothing to make BTF with. Of its own accord, as in a kernel's build,
# pahole since 1.29 leaves out functions that return structures.
only_btf()
{
	mkdir -p "$1/btf"
	cp "$1/ktap_truth.ko" "$1/btf"
	features=
	if pahole --supported_btf_features >/dev/null 2>&1; then
		features=--btf_features=encode_force,var,float,decl_tag,type_tag,enum64,distilled_base
		objcopy -R .BTF -R .BTF.base "$1/btf/ktap_truth.ko"
	fi
	# shellcheck disable=SC2086
	readelf -SW "$1/btf/ktap_truth.ko" | grep -q '\.BTF ' ||
		pahole -J $features --btf_base "/usr/lib/debug/boot/vmlinux-$release" "$1/btf/ktap_truth.ko" 2>/dev/null || return 1
	objcopy --strip-debug "$1/btf/ktap_truth.ko"
	! readelf -SW "$1/btf/ktap_truth.ko" | grep -q '\.debug_info'
}

# watch NAME KO SCRIPT NUMBER...: session NAME of the script on the module, which is loaded later and gets the numbers, is on the plan.
watch()
{
	name=$1 ko=$2 script=$3
	shift 3
	{
		echo "insmod $ko"
		for number; do
			echo "echo $number >/sys/module/ktap_truth/parameters/go"
		done
		echo 'rmmod ktap_truth'
	} >"$name.guest"
	session "$name" -c "sh ./$name.guest" "$TRUTH/$script" "$ko"
}

# watched NAME: what it printed is in `out`, and, in order, in `sorted`.
watched()
{
	result "$1"
	LC_ALL=C sort out >sorted
}
