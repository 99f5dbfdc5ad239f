#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# tz_gmtoff(), tz_name() and tz_ctime() are about the zone of who runs the session, in a process and in the kernel: TZ, east
# and west of Greenwich, with minutes. The dates are those of date(1).
. "$SRCDIR/testsuite/lib/process.sh"

script='probe begin { println(tz_gmtoff(), " ", tz_name(), " ", tz_ctime(1700000000)) exit() }'
zones='CET-1 NST3:30 UTC0 LONGNAME-12:45'
want()
{
	for zone in $zones; do
		printf '%s %s\n' "$(printf '%s' "$zone" | sed 's/^[A-Z]*//; s/^-\(.*\)/\1 -/; s/:/ /' | awk '{
			sign = $NF == "-" ? -1 : 1; minutes = NF > 1 && $2 != "-" ? $2 : 0; print sign * ($1 * 3600 + minutes * 60) }')" \
			"$(TZ=$zone LC_ALL=C date -d @1700000000 '+%Z %a %b %e %T %Y %Z')"
	done
}
want >want
grep -qx -- '-3600 CET Tue Nov 14 23:13:20 2023 CET' want || fail "date(1) says otherwise: $(cat want)"
for zone in $zones; do
	TZ=$zone "$KTAP" --runtime=user -e "$script"
done >have 2>&1
cmp -s want have || fail "in a process: $(diff want have)"
for release in $(kernels); do
	"$KTAP" -r "$release" -p4 -m kt_zone -e "$script" >out 2>&1 || fail "cannot build for $release: $(cat out)"
	"$BUILDDIR/ktap-vm" -t 600 "$release" -- sh -c "for zone in $zones; do TZ=\$zone '$BUILDDIR/ktaprun' '$PWD/kt_zone.ko' || exit; done" \
		>have 2>err </dev/null || fail "in the VM of $release: $(cat err)"
	cmp -s want have || fail "on $release: $(diff want have)"
done
