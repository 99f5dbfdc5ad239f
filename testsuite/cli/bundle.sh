#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --bundle writes one archive with a module for each kernel and a manifest that is true, or no file at all.
. "$SRCDIR/testsuite/lib/sh.sh"

need_kernel
set --
for release in $(kernels); do
	set -- "$@" -r "$release"
done
ktap --bundle=here.ktap -m kt_bundle "$@" -e 'probe begin { exit() }'
accepted
test ! -e kt_bundle.ko || fail "-m left a module beside the bundle"
{
	echo manifest.json
	for release in $(kernels); do
		echo "$release.ko"
	done
	test ! -e "$BUILDDIR/ktaprun-static" || echo ktaprun
} >want
ar t here.ktap | diff want - || fail "members"
ar x here.ktap
for release in $(kernels); do
	sum=$(jq -r --arg kernel "$release" '.modules[] | select(.kernel == $kernel and .file == $kernel + ".ko") | .sha256' manifest.json)
	test "$(sha256sum <"$release.ko")" = "$sum  -" || fail "the manifest's sum of $release.ko is $sum"
	"$BUILDDIR/ktaprun" --verify "$release.ko" >facts 2>&1
	grep -q "^kernel $release\$" facts && grep -q '^module kt_bundle$' facts || fail "$release.ko: $(cat facts)"
done
test "$(jq -r '.modules[0].script_sha256' manifest.json)" = "$(printf "probe begin { exit() }" | sha256sum | cut -d' ' -f1)" ||
	fail "the manifest's sum of the script"
if test -e "$BUILDDIR/ktaprun-static"; then
	cmp ktaprun "$BUILDDIR/ktaprun-static" && test -x ktaprun || fail "the bundle's ktaprun is another file"
	test "$(sha256sum <ktaprun)" = "$(jq -r .ktaprun.sha256 manifest.json)  -" || fail "the manifest's sum of ktaprun"
	# It needs nothing: neither a program that starts it nor a library.
	test -z "$(readelf -lW ktaprun | grep -e INTERP -e NEEDED)" || fail "the bundle's ktaprun is not static"
fi
cp here.ktap first
ktap --bundle=here.ktap -m kt_bundle "$@" "$@" -e 'probe begin { exit() }'
accepted
cmp here.ktap first || fail "the same script, with each kernel named twice, makes another bundle"

# --verify names what is in it. This machine's kernel is none of these where no kernel can be loaded.
"$BUILDDIR/ktaprun" --verify here.ktap >facts 2>err
test "$(grep -c '^holds ' facts)" = "$(kernels | wc -w)" || fail "--verify: $(cat facts)"

# A failure leaves what was there, and nothing else.
ktap --bundle=here.ktap "$@" -e 'probe begin { nosuch() }'
test "$status" = 1 || fail "a script with an error makes a bundle"
cmp here.ktap first || fail "the bundle of before is gone"
ktap --bundle=here.ktap "$@" -r 1.2.3-nosuch -e 'probe begin { exit() }'
test "$status" = 1 || fail "a kernel that is not installed"
said '1.2.3-nosuch'
ktap --bundle=nosuch/here.ktap "$@" -e 'probe begin { exit() }'
refused io
test -z "$(find . -name 'here.ktap.*')" || fail "left: $(find . -name 'here.ktap.*')"

# What a bundle cannot go with.
for wrong in --vm --runtime=user -p2 '-T 1' '-o out.txt' '--remote=vm:' '-x 1'; do
	# shellcheck disable=SC2086
	ktap --bundle=other.ktap $wrong -e 'probe begin { exit() }'
	refused usage
	test ! -e other.ktap || fail "$wrong: there is a bundle"
done
