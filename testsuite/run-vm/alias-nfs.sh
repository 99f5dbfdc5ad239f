#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! addresses: fixed
#! needs-config: NFS_FS=m NFSD=m
# nfs.*, sunrpc.* and nfsd.*: a machine is its own server of NFS 3 and 4.1, and a program writes, reads, maps, locks, renames and
# removes a file there. What the points say is compared with what the program did. The last name that it looks for is a new one
# each time: a client remembers the names that are not there.
. "$SRCDIR/testsuite/lib/process.sh"

cat >work.py <<'END'
import fcntl, mmap, os, sys
v, none = sys.argv[1:]
os.chdir("/tmp/nfs/" + v)
f = os.open("f-" + v, os.O_RDWR | os.O_CREAT, 0o640)
os.write(f, b"x" * 300000)
os.fsync(f)
os.lseek(f, -40, 2)
fcntl.lockf(f, fcntl.LOCK_EX, 10, 5)
m = mmap.mmap(f, 4096)
m[7] = 1
m.close()
fcntl.fcntl(f, fcntl.F_SETFL, os.O_APPEND)
os.close(f)
with open("../export/s-" + v, "wb") as s:
    s.write(b"y" * 5000)
r = os.open("s-" + v, os.O_RDONLY)
os.read(r, 99)
os.close(r)
with open("../export/t-" + v, "wb") as t:
    t.write(b"z" * 5000)
t = os.open("t-" + v, os.O_RDWR)
os.pwrite(t, b"ten bytes!", 100)
os.close(t)
os.mkdir("d-" + v, 0o750)
os.listdir(".")
os.rename("f-" + v, "g-" + v)
os.remove("g-" + v)
os.rmdir("d-" + v)
try:
    os.stat(none)
except OSError:
    pass
END
cp "$SRCDIR/testsuite/run-vm/nfs_loopback.pl" .

# What NAME printed has each line of stdin.
has()
{
	cp "$1.out" out
	while read -r line; do
		grep -qxF -e "$line" out || fail "no line '$line' from $1 on $release"
	done
}

cat >client.stp <<'END'
global seen
function say(line:string) { if (!seen[line]++) println(line) }
function mine() { return execname() == "python3" }
probe nfs.fop.llseek { if (mine()) say(sprintf("fop.llseek %d %s of %d", offset, whence_str, maxbyte > 0xffffffff)) }
probe nfs.fop.llseek.return { if (mine()) say("fop.llseek.return " . retstr) }
probe nfs.fop.write_iter, nfs.fop.aio_write { if (mine() && user_string_n(buf, 1) == "x") say(sprintf("%s %s/%s %d %s at %d", name, parent_name, file_name, count, units, pos)) }
probe nfs.fop.write_iter.return, nfs.fop.aio_write.return, nfs.fop.write.return { if (mine()) say(sprintf("%s.return %d %s", name, size, retstr)) }
probe nfs.fop.write { if (mine() && file) say(sprintf("%s %s %d of %d", name, pathname, bytes_to_write, len)) }
probe nfs.fop.read_iter, nfs.fop.aio_read { if (mine() && cache_time && attr_time) say(sprintf("%s %s/%s %d %s at %d", name, parent_name, file_name, count, units, pos)) }
probe nfs.fop.read_iter.return, nfs.fop.aio_read.return, nfs.fop.read.return { if (mine()) say(sprintf("%s.return %d %s", name, size, retstr)) }
probe nfs.fop.read { if (mine() && file && !pos) say(sprintf("%s %s %d of %d", name, pathname, bytes_to_read, len)) }
probe nfs.fop.mmap { if (mine()) say(sprintf("fop.mmap %d bytes of %s, shared and written %d", vm_end - vm_start, file_name, (vm_flags & 0xa) == 0xa)) }
probe nfs.fop.mmap.return, nfs.fop.open.return, nfs.fop.flush.return, nfs.fop.fsync.return, nfs.fop.lock.return, nfs.fop.check_flags.return, nfs.fop.release.return
{
	if (mine())
		say(sprintf("%s.return %s", name, retstr))
}
probe nfs.fop.open { if (mine()) say(sprintf("fop.open %s for %d, %d bytes", file_name, flag & 3, i_size)) }
probe nfs.fop.flush { if (mine() && devname != "") say(sprintf("fop.flush mode %d, dirty %d", mode & 3, ndirty)) }
probe nfs.fop.fsync { if (mine() && dev && ino) say(sprintf("fop.fsync dirty %d", ndirty)) }
probe nfs.fop.release { if (mine()) say(sprintf("fop.release mode %d", mode & 3)) }
probe nfs.fop.lock { if (mine()) say(sprintf("fop.lock %d type %d from %d to %d mode %o", cmd, fl_type, fl_start, fl_end, i_mode)) }
probe nfs.fop.check_flags { if (mine() && (flag & 02000)) say("fop.check_flags append") }
global all
probe nfs.fop.entries, nfs.aop.entries, nfs.proc.entries { all[name] |= 1 }
probe nfs.fop.return, nfs.aop.return, nfs.proc.return { all[name] |= 2 }
probe end
{
	foreach (point in all)
		if (all[point] == 3)
			println("all ", point)
}
probe nfs.aop.readpage, nfs.aop.readfolio, nfs.aop.read_page_folio { if (mine()) say(sprintf("%s page %d of %d bytes, at most %d", name, page_index, i_size, rsize)) }
probe nfs.aop.readpage.return, nfs.aop.readfolio.return, nfs.aop.read_page_folio.return, nfs.aop.write_begin.return, nfs.aop.write_end.return, nfs.aop.set_page_dirty.return, nfs.aop.writepages.return
{
	if (mine())
		say(sprintf("%s.return %s", name, name == "nfs.aop.write_end" ? retstr : strtol(retstr, 10) >= 0 ? "good" : retstr))
}
probe nfs.aop.readahead, nfs.aop.read_pages_ahead, nfs.aop.readpages { if (mine() && file && rpages == rsize / 4096) say(sprintf("%s %d %s", name, nr_pages, units)) }
probe nfs.aop.readahead.return, nfs.aop.read_pages_ahead.return, nfs.aop.readpages.return { if (mine()) say(name . ".return") }
probe nfs.aop.set_page_dirty { if (mine() && __page && page_flag) say(name) }
probe nfs.aop.write_begin, nfs.aop.write_end { if (mine() && page_index == 73) say(sprintf("%s %d to %d of page %d, %d bytes at %d", name, offset, to, page_index, count, pos)) }
probe nfs.aop.writepages { if (mine() && !for_reclaim && !for_kupdate && wpages == wsize / 4096 && nr_to_write > 0) say(name . " by " . sprint(wsize)) }
END
cat >calls.stp <<'END'
global seen, all
function say(line:string) { if (!seen[line]++) println(line) }
function mine() { return execname() == "python3" }
probe nfs.proc3.lookup, nfs.proc4.lookup, nfs.proc3.create, nfs.proc4.create, nfs.proc3.remove, nfs.proc4.remove
{
	if (mine() && client && prot == 6)
		say(sprintf("%s v%d %s at %s", name, version, filename, server_ip))
}
probe nfs.proc3.create, nfs.proc4.create { if (mine() && fh && filelen == strlen(filename)) say(sprintf("create mode %o", mode & 0777)) }
probe nfs.proc3.lookup, nfs.proc4.lookup { if (mine() && name_len == strlen(filename)) say(sprintf("lookup bits %d", (bitmask0 != 0) + (bitmask1 != 0))) }
probe nfs.proc3.lookup.return, nfs.proc4.lookup.return, nfs.proc3.create.return, nfs.proc4.create.return, nfs.proc3.remove.return, nfs.proc4.remove.return, nfs.proc3.rename.return, nfs.proc4.rename.return { if (mine()) say(sprintf("%s.return v%d %s", name, version, retstr)) }
probe nfs.proc3.rename, nfs.proc4.rename { if (mine()) say(sprintf("%s v%d %s (%d) to %s (%d), %d", name, version, old_name, old_filelen, new_name, new_filelen, old_fh == new_fh)) }
probe nfs.proc3.rename_setup, nfs.proc4.rename_setup { if (mine()) say(sprintf("%s v%d %d", name, version, fh != 0)) }
probe nfs.proc3.rename_setup.return, nfs.proc4.rename_setup.return, nfs.proc3.read_setup.return, nfs.proc4.read_setup.return, nfs.proc3.write_setup.return, nfs.proc4.write_setup.return, nfs.proc3.commit_setup.return, nfs.proc4.commit_setup.return { say(sprintf("%s.return v%d", name, version)) }
probe nfs.proc3.rename_done, nfs.proc4.rename_done { say(sprintf("%s v%d status %d, %d", name, version, status, old_fh == new_fh)) }
probe nfs.proc3.rename_done.return, nfs.proc4.rename_done.return, nfs.proc3.read_done.return, nfs.proc4.read_done.return, nfs.proc3.write_done.return, nfs.proc4.write_done.return, nfs.proc3.commit_done.return, nfs.proc4.commit_done.return { say(sprintf("%s.return v%d %s", name, version, retstr)) }
probe nfs.proc3.read_setup, nfs.proc4.read_setup { if (inode) say(sprintf("%s v%d %d %s at %d", name, version, size, units, offset)) }
probe nfs.proc3.read_done, nfs.proc4.read_done { say(sprintf("%s v%d %d at %s, status good %d", name, version, count, server_ip, status >= 0)) }
probe nfs.proc3.write_setup, nfs.proc4.write_setup { if (inode) say(sprintf("%s v%d %d %s at %d", name, version, size, units, offset)) }
probe nfs.proc3.write_done, nfs.proc4.write_done { say(sprintf("%s v%d %d, status good %d", name, version, count, status >= 0)) }
probe nfs.proc3.commit_setup, nfs.proc4.commit_setup { if (inode) say(sprintf("%s v%d %d at %d", name, version, count, offset)) }
probe nfs.proc3.commit_done, nfs.proc4.commit_done { say(sprintf("%s v%d status %d at %s", name, version, status, server_ip)) }
probe nfs.proc.open, nfs.proc.release { if (mine()) say(sprintf("%s v%d %s for %d, mode %d", name, version, filename, flag & 3, mode & 3)) }
probe nfs.proc.open.return { if (mine()) say(sprintf("%s.return %s", name, retstr)) }
probe nfs.proc.release.return { if (mine()) say(sprintf("%s.return", name)) }
probe nfs.proc4.handle_exception { if (mine()) say(sprintf("%s v%d %d", name, version, errorcode)) }
probe nfs.proc4.handle_exception.return { if (mine()) say(sprintf("%s.return %s", name, retstr)) }
probe nfs.proc.*, nfs.proc.*.return { all[name]++ }
probe end
{
	foreach (point+ in all)
		println("all ", point)
}
END

cat >server.stp <<'END'
global seen
function say(line:string) { if (!seen[line]++) println(line) }
probe nfsd.dispatch { if (prog == 100003 && proto == 6 && xid > 0) say(sprintf("dispatch v%d from %s", version, client_ip)) }
probe nfsd.dispatch.return { say("dispatch.return " . retstr) }
probe nfsd.lookup { if (filelen == strlen(filename)) say("lookup " . filename) if (filename == "no-3") say("handle " . fh) }
probe nfsd.open { if (client_ip == "127.0.0.1" && strlen(fh) > 8) say(sprintf("open type %o", type)) }
probe nfsd.read, nfsd.write { if (strlen(fh) > 8 && size == count) say(sprintf("%s %d %s at %d, %d", name, count, units, offset, vlen >= 0)) }
probe nfsd.commit { say(sprintf("commit %d %s at %d", count, units, offset)) }
probe nfsd.create { say(sprintf("create %s type %o mode %o", filename, type, iap_mode & 07777)) }
probe nfsd.createv3 { say(sprintf("createv3 %s mode %d, %o", filename, createmode, iap_mode & 07777)) }
probe nfsd.unlink { say(sprintf("unlink %s type %d", filename, type)) }
probe nfsd.rename { say(sprintf("rename %s (%d) to %s (%d)", filename, filelen, tname, tlen)) }
global handles
probe nfsd.lookup, nfsd.open, nfsd.read, nfsd.write, nfsd.commit, nfsd.create, nfsd.createv3, nfsd.unlink, nfsd.rename { handles[tid(), name] = fh }
probe nfsd.lookup.return, nfsd.open.return, nfsd.read.return, nfsd.write.return, nfsd.commit.return, nfsd.create.return, nfsd.createv3.return, nfsd.unlink.return, nfsd.rename.return
{
	if (client_ip == "127.0.0.1" && handles[tid(), name] == fh)
		say(sprintf("%s.return %s", name, retstr))
}
probe nfsd.proc3.lookup, nfsd.proc4.lookup, nfsd.proc3.create, nfsd.proc4.create, nfsd.proc3.remove, nfsd.proc4.remove { if (fh && uid == 0 && gid == 0 && proto == 6) say(sprintf("%s v%d %s from %s", name, version, filename, client_ip)) }
probe nfsd.proc3.read, nfsd.proc4.read, nfsd.proc3.write, nfsd.proc4.write { if (fh && size == count) say(sprintf("%s v%d %d at %d", name, version, count, offset)) }
probe nfsd.proc3.commit, nfsd.proc4.commit { if (fh) say(sprintf("%s v%d %d at %d", name, version, count, offset)) }
probe nfsd.proc3.rename, nfsd.proc4.rename { if (fh && tfh) say(sprintf("%s v%d %s (%d) to %s (%d)", name, version, filename, flen, tname, tlen)) }
probe nfsd.proc3.lookup.return, nfsd.proc4.lookup.return, nfsd.proc3.create.return, nfsd.proc4.create.return, nfsd.proc3.remove.return, nfsd.proc4.remove.return, nfsd.proc3.read.return, nfsd.proc4.read.return, nfsd.proc3.write.return, nfsd.proc4.write.return, nfsd.proc3.commit.return, nfsd.proc4.commit.return, nfsd.proc3.rename.return, nfsd.proc4.rename.return
{
	if (client_ip == "127.0.0.1")
		say(sprintf("%s.return v%d %s", name, version, retstr))
}
probe nfsd.proc.write.return { say(sprintf("written v%d %d, stable %d", version, count, stable)) }
global all
probe nfsd.entries, nfsd.proc.entries, nfsd.proc.lookup, nfsd.proc.create, nfsd.proc.remove, nfsd.proc.read, nfsd.proc.write, nfsd.proc.commit, nfsd.proc.rename { all[name] |= client_ip == "127.0.0.1" }
probe nfsd.return, nfsd.proc.return, nfsd.proc.lookup.return, nfsd.proc.create.return, nfsd.proc.remove.return, nfsd.proc.read.return, nfsd.proc.write.return, nfsd.proc.commit.return, nfsd.proc.rename.return { all[name] |= retstr != "" ? 2 : 0 }
probe end
{
	foreach ([point] in all)
		if (all[point] == 3)
			println("all ", point)
}
END

cat >rpc.stp <<'END'
global seen, all
function say(line:string) { if (!seen[line]++) println(line) }
function good(s:string) { return strtol(s, 16) != 0 && substr(s, 0, 1) != "-" }
probe sunrpc.clnt.create_client { if (prog == 100003) say(sprintf("clnt.create_client %s %s v%d, flavor %d, protocol %d, port %d", servername, progname, vers, authflavor, prot, port)) }
probe sunrpc.clnt.create_client.return { if (good(retstr)) say("clnt.create_client.return") }
probe sunrpc.clnt.bind_new_program { say(sprintf("clnt.bind_new_program %s: %s %d v%d to %s %d v%d", servername, old_progname, old_prog, old_vers, progname, prog, vers)) }
probe sunrpc.clnt.bind_new_program.return { if (good(retstr)) say("clnt.bind_new_program.return") }
probe sunrpc.clnt.call_sync { if (prog == 100003) say(sprintf("%s %s v%d at %s, protocol %d, port %d", name, progname, vers, servername, prot, port)) }
probe sunrpc.clnt.call_sync { if (vers == 3) say(sprintf("clnt.call_sync procedure %d %s", proc, procname)) }
probe sunrpc.clnt.call_sync.return { if (retstr == "0") say(name . ".return") }
probe sunrpc.clnt.shutdown_client { if (prog == 100003 && om_ops && om_ntrans >= om_ops && om_bytes_sent > 40 && om_bytes_recv > 24 && om_execute >= om_rtt && tasks == 0) say(sprintf("clnt.shutdown_client %s v%d, calls %d", servername, vers, rpccnt >= om_ops)) }
probe sunrpc.clnt.shutdown_client.return { say("clnt.shutdown_client.return") }
probe sunrpc.sched.new_task { if (prog == 100003 && prot == 6) say(sprintf("sched.new_task v%d", vers)) }
probe sunrpc.sched.new_task.return { if (good(retstr)) say("sched.new_task.return") }
probe sunrpc.sched.execute { if (prog == 100003 && prot == 6) say(sprintf("sched.execute v%d", vers)) }
probe sunrpc.sched.execute.return { say("sched.execute.return") }
probe sunrpc.sched.release_task { if (prog == 100003 && xid) say(sprintf("sched.release_task v%d", vers)) }
probe sunrpc.svc.create { if (prog == 100003) say(sprintf("svc.create %s, versions %d, %d", progname, pg_nvers, bufsize > 65536)) }
probe sunrpc.svc.create.return { if (good(retstr)) say("svc.create.return") }
probe sunrpc.svc.register { say(sprintf("svc.register %s %s %d protocol %d port %d", sv_name, progname, prog, prot, port)) }
probe sunrpc.svc.register.return { if (retstr == "0") say("svc.register.return") }
probe sunrpc.svc.recv { if (sv_name == "nfsd" && sv_nrthreads == 2) say(sprintf("svc.recv %d", sv_prog)) }
probe sunrpc.svc.recv.return { say("svc.recv.return") }
global asked
probe sunrpc.svc.process
{
	if (rq_prog == 100003 && rq_prot == 6 && sv_name == "nfsd") {
		asked[tid()] = rq_xid
		say(sprintf("svc.process v%d from %s, one of ours", rq_vers, ip_ntop(peer_ip)))
	}
}
probe sunrpc.svc.process.return { delete asked[tid()] say("svc.process.return") }
probe sunrpc.svc.authorise { if (rq_prog == 100003 && asked[tid()] == rq_xid) say(sprintf("svc.authorise v%d protocol %d", rq_vers, rq_prot)) }
probe sunrpc.svc.authorise.return { say("svc.authorise.return " . retstr) }
probe sunrpc.svc.send { if (rq_prog == 100003 && asked[tid()] == rq_xid) say(sprintf("svc.send v%d from %s", rq_vers, ip_ntop(peer_ip))) }
probe sunrpc.svc.send.return { say("svc.send.return") }
probe sunrpc.svc.destroy { if (sv_nrthreads == 0) say(sprintf("svc.destroy %s %d", sv_name, sv_prog)) }
probe sunrpc.svc.destroy.return { say("svc.destroy.return") }
probe sunrpc.entry { all["entry", name] = 1 }
probe sunrpc.return { all["return", name] = 1 }
probe sunrpc.clnt.entry, sunrpc.sched.entry, sunrpc.svc.entry { all["entry of", name] = 1 }
probe sunrpc.clnt.return, sunrpc.sched.return, sunrpc.svc.return { all["return of", name] = 1 }
probe end
{
	n = 0
	foreach ([which, point] in all)
		n += which == "entry" ? all["entry of", point] == 1 : which == "return" && all["return of", point] == 1
	printf("points in both sums: %d\n", n > 20)
}
END
for release in $(kernels); do
	in_guest 'modprobe -a nfsd nfsv2 nfsv3 nfsv4; perl nfs_loopback.pl /tmp/nfs 3 4.1'
	session client -c 'python3 work.py 3 nothing' client.stp
	session calls -c 'sh -c "python3 work.py 3 none-3; python3 work.py 4.1 none-4.1"' calls.stp
	session server -c 'sh -c "python3 work.py 3 no-3; python3 work.py 4.1 no-4.1"' server.stp
	session rpc -c 'sh -c "umount /tmp/nfs/3; umount /tmp/nfs/4.1; echo 0 >/proc/fs/nfsd/threads; perl nfs_loopback.pl /tmp/nfs 3 4.1; python3 work.py 3 no"' rpc.stp
	in_guest 'perl -e "open(F, q(+<), q(/proc/fs/nfsd/filehandle)); syswrite(F, qq(ktap /tmp/nfs/export 64\n)); print readline(F)" >$RESULTS/handle'
	boot
	for part in client calls server rpc; do
		result $part
		cp out $part.out
	done

	has client <<-'END'
	fop.open f-3 for 2, 0 bytes
	fop.open s-3 for 0, 5000 bytes
	nfs.fop.open.return 0
	nfs.fop.write /tmp/nfs/3/f-3 300000 of 300000
	nfs.fop.write.return 300000 300000
	nfs.fop.write_iter //f-3 300000 bytes at 0
	nfs.fop.write_iter.return 300000 300000
	nfs.fop.aio_write //f-3 300000 bytes at 0
	nfs.fop.aio_write.return 300000 300000
	nfs.fop.read /tmp/nfs/3/s-3 99 of 99
	nfs.fop.read.return 99 99
	nfs.fop.read_iter //s-3 99 bytes at 0
	nfs.fop.read_iter.return 99 99
	nfs.fop.aio_read //s-3 99 bytes at 0
	nfs.fop.aio_read.return 99 99
	nfs.fop.fsync.return 0
	fop.llseek -40 SEEK_END of 1
	fop.llseek.return 299960
	fop.lock 7 type 1 from 5 to 14 mode 100640
	nfs.fop.lock.return 0
	fop.mmap 4096 bytes of f-3, shared and written 1
	nfs.fop.mmap.return 0
	fop.check_flags append
	nfs.fop.check_flags.return 0
	fop.flush mode 3, dirty 0
	fop.flush mode 1, dirty 0
	nfs.fop.flush.return 0
	fop.release mode 3
	fop.release mode 1
	nfs.fop.release.return 0
	nfs.aop.set_page_dirty
	nfs.aop.set_page_dirty.return good
	nfs.aop.writepages by 131072
	nfs.aop.writepages.return good
	nfs.aop.write_begin.return good
	nfs.aop.readahead 2 pages
	nfs.aop.readpages 2 pages
	nfs.aop.read_pages_ahead 2 pages
	nfs.aop.readahead.return
	nfs.aop.readpages.return
	nfs.aop.read_pages_ahead.return
	nfs.aop.readpage page 0 of 5000 bytes, at most 131072
	nfs.aop.readfolio page 0 of 5000 bytes, at most 131072
	nfs.aop.read_page_folio page 0 of 5000 bytes, at most 131072
	nfs.aop.readpage.return good
	nfs.aop.readfolio.return good
	nfs.aop.read_page_folio.return good
	all nfs.fop.write_iter
	all nfs.aop.writepages
	all nfs.proc.write_setup
	END
	# A kernel that writes by folios may take the last 992 bytes together with pages before them.
	grep -Eq '^nfs.aop.write_begin .* of page 73,|^nfs.aop.write_end .* at [0-9]+$' client.out || grep -q '^all nfs.aop.write_end$' client.out ||
		fail "no write_begin and write_end on $release"
	for v in 3 4; do
		root=127.0.0.1
		test $v = 3 && f=3 || f=4.1
		has calls <<-END
		nfs.proc.write_setup v$v 131072 bytes at 131072
		nfs.proc.write_setup v$v 37856 bytes at 262144
		nfs.proc.write_setup.return v$v
		nfs.proc.write_done v$v 37856, status good 1
		nfs.proc.write_done.return v$v 0
		nfs.proc.commit_setup v$v 0 at 0
		nfs.proc.commit_setup.return v$v
		nfs.proc.commit_done v$v status 0 at $root
		nfs.proc.commit_done.return v$v 0
		nfs.proc.read_setup v$v 8192 bytes at 0
		nfs.proc.read_setup.return v$v
		nfs.proc.read_done v$v 5000 at $root, status good 1
		nfs.proc.read_done.return v$v 0
		nfs.proc.release v$v f-$f for 2, mode 3
		nfs.proc.rename v$v f-$f ($((${#f} + 2))) to g-$f ($((${#f} + 2))), 1
		nfs.proc.rename.return v$v 0
		nfs.proc.rename_setup v$v 1
		nfs.proc.rename_setup.return v$v
		nfs.proc.rename_done v$v status 0, 1
		nfs.proc.rename_done.return v$v 1
		nfs.proc.remove v$v g-$f at $root
		nfs.proc.remove.return v$v 0
		nfs.proc.lookup.return v$v -2 (ENOENT)
		END
		has server <<-END
		dispatch v$v from $root
		nfsd.proc.write v$v 131072 at 131072
		nfsd.proc.commit v$v 0 at 0
		nfsd.proc.read v$v 8192 at 0
		nfsd.proc.rename v$v f-$f ($((${#f} + 2))) to g-$f ($((${#f} + 2)))
		nfsd.proc.remove v$v g-$f from $root
		nfsd.proc.write.return v$v NFS_OK
		written v$v 131072, stable 0
		rename f-$f ($((${#f} + 2))) to g-$f ($((${#f} + 2)))
		END
	done
	has calls <<-'END'
	nfs.proc.lookup v3 none-3 at 127.0.0.1
	nfs.proc.lookup v4 none-4.1 at 127.0.0.1
	create mode 640
	nfs.proc.create v3 f-3 at 127.0.0.1
	nfs.proc.create.return v3 0
	nfs.proc.open v3 s-3 for 0, mode 1
	nfs.proc.open.return 0
	nfs.proc.release.return
	nfs.proc.handle_exception v4 -2
	nfs.proc.handle_exception.return -2 (ENOENT)
	lookup bits 0
	lookup bits 2
	all nfs.proc.lookup
	all nfs.proc.commit_done
	all nfs.proc.rename
	END
	has server <<-'END'
	nfsd.proc.lookup v3 no-3 from 127.0.0.1
	nfsd.proc.lookup v4 no-4.1 from 127.0.0.1
	lookup no-3
	lookup no-4.1
	dispatch.return 1
	createv3 f-3 mode 0, 640
	nfsd.createv3.return NFS_OK
	nfsd.proc.create v3 f-3 from 127.0.0.1
	nfsd.proc.create.return v3 NFS_OK
	nfsd.lookup.return NFSERR_NOENT
	nfsd.proc.lookup.return v3 NFSERR_NOENT
	nfsd.write 131072 bytes at 131072, 1
	nfsd.write.return NFS_OK
	nfsd.proc.write.return v3 NFS_OK
	nfsd.read 8192 bytes at 0, 1
	nfsd.read.return NFS_OK
	nfsd.proc.read.return v3 NFS_OK
	create d-3 type 40000 mode 750
	create d-4.1 type 40000 mode 750
	nfsd.create.return NFS_OK
	open type 40000
	nfsd.open.return NFS_OK
	commit 0 bytes at 0
	nfsd.commit.return NFS_OK
	nfsd.proc.commit.return v3 NFS_OK
	nfsd.rename.return NFS_OK
	nfsd.proc.rename.return v3 NFS_OK
	unlink g-3 type -16384
	unlink g-4.1 type 0
	nfsd.unlink.return NFS_OK
	nfsd.proc.remove.return v3 NFS_OK
	all nfsd.dispatch
	all nfsd.write
	all nfsd.proc.write
	END
	handle=$(sed 's/^\\x//' results/handle)
	has server <<-END
	handle $((${#handle} / 2)): $handle
	END
	has rpc <<-'END'
	clnt.create_client 127.0.0.1 nfs v3, flavor 1, protocol 6, port 2049
	clnt.create_client.return
	clnt.bind_new_program 127.0.0.1: nfs 100003 v3 to nfsacl 100227 v3
	clnt.bind_new_program.return
	sunrpc.clnt.call_sync nfs v3 at 127.0.0.1, protocol 6, port 2049
	sunrpc.clnt.call_sync.return
	clnt.call_sync procedure 8 CREATE
	clnt.shutdown_client 127.0.0.1 v3, calls 1
	clnt.shutdown_client.return
	sched.new_task v3
	sched.new_task.return
	sched.execute v3
	sched.execute.return
	sched.release_task v3
	svc.create nfsd, versions 5, 1
	svc.create.return
	svc.register.return
	svc.recv 100003
	svc.recv.return
	svc.process v3 from 127.0.0.1, one of ours
	svc.process.return
	svc.authorise v3 protocol 6
	svc.send v3 from 127.0.0.1
	svc.send.return
	svc.destroy nfsd 100003
	svc.destroy.return
	points in both sums: 1
	END
	grep -q '^svc.authorise.return ' rpc.out || fail "no svc.authorise.return"
	grep -q "^svc.register lockd lockd 100021 protocol 6 port [1-9]" rpc.out || fail "no svc.register of lockd on $release"
done
