#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The aliases of the NFS server: all of them resolve with their variables against the module and its debugging information.
# run-vm/alias-nfs.sh has requests that reach them; here are the variables that it does not print, and the request of each version.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	test -e "/usr/lib/debug/lib/modules/$R/kernel/fs/nfsd/nfsd.ko" || return 0
	request='client_ip, version, proto, uid, gid, fh, argstr'
	for version in '' 3 4; do
		proc=nfsd.proc$version
		for point in lookup create remove; do
			ktap -r "$R" -p2 -e "probe $proc.$point { println($request, filename, filelen, fh->fh_export->ex_path->mnt) }"
			accepted
		done
		for point in read write commit; do
			ktap -r "$R" -p2 -e "probe $proc.$point { println($request, offset, count, size) }"
			accepted
		done
		ktap -r "$R" -p2 -e "probe $proc.write { println(stable, vec, vlen) } probe $proc.read { println(vec, vlen) }"
		accepted
		ktap -r "$R" -p2 -e "probe $proc.rename { println($request, filename, flen, tfh->fh_dentry, tname, tlen) }"
		accepted
		for point in lookup create remove read write commit rename; do
			ktap -r "$R" -p2 -e "probe $proc.$point.return { println(name, retstr) }"
			accepted
		done
	done
	ktap -r "$R" -p2 -e '
		probe nfsd.dispatch { println(client_ip, xid, prog, version, proc, proto, argstr) }
		probe nfsd.lookup, nfsd.unlink, nfsd.create, nfsd.createv3 { println(client_ip, fh . "", filename, filelen, argstr) }
		probe nfsd.unlink, nfsd.open { println(type) }
		probe nfsd.open { println(client_ip, fh, access, argstr) }
		probe nfsd.create, nfsd.createv3 { println(iap_valid, iap_mode) }
		probe nfsd.createv3 { println(createmode, verifier, truncp) }
		probe nfsd.read, nfsd.write { println(client_ip, fh . "", file, offset, count, size, units, vec, vlen, argstr) }
		probe nfsd.commit { println(client_ip, fh . "", flag, offset, count, size, units, argstr) }
		probe nfsd.rename { println(client_ip, fh . tfh, filename, filelen, flen, tname, tlen, argstr) }
		probe nfsd.entries, nfsd.proc.entries { println(name, client_ip, argstr) }
		probe nfsd.return, nfsd.proc.return { println(name, retstr) }'
	accepted
	# A procedure is that of both versions, entries are all seven of each.
	ktap -r "$R" -p2 -v -e 'probe nfsd.proc.read { println(count) }'
	printed 'nfsd:nfsd3_proc_read'
	printed 'nfsd:nfsd4_read'
	ktap -r "$R" -p2 -v -e 'probe nfsd.proc.entries { println(name) }'
	test "$(grep -c 'nfsd:nfsd[34]_' out)" -eq 14 || fail "not 14 places: $(cat out)"
}
on_each check
