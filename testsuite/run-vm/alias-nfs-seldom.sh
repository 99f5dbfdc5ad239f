#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! needs-config: NFS_FS=m NFSD=m
# sunrpc.* that rarely fire: a packet that is no call, a lock that NFS 4.0 forgets, a server that says "later", a file system
# below the mounted one. The program says what has to be seen ("T ..."), the script what it saw, each line once ("K ...").
. "$SRCDIR/testsuite/lib/process.sh"

cat >work.py <<'END'
import fcntl, os, signal, socket, struct
os.chdir("/tmp/nfs")


# One write(), so that what the script prints at that moment cannot come between.
def say(line):
    os.write(1, b"T %s\n" % line.encode())


# What comes first is a number for the answer, then 0 in a call.
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(struct.pack(">14I", 0x1234567, 5, *[0] * 12), ("127.0.0.1", 2049))
say("drop 0x1234567 protocol 17 by nfsd from 127.0.0.1")
say("drop.return")

f = os.open("4.0/lock", os.O_RDWR | os.O_CREAT, 0o600)
fcntl.lockf(f, fcntl.LOCK_EX, 10, 5)
os.close(f)
say("call_async nfs 100003 v4 at 127.0.0.1 protocol 6 port 2049: RELEASE_LOCKOWNER")
say("call_async.return 0")

# The server asks whoever has the lease to give it back, and the client to come again in five seconds.
with open("export/leased", "wb") as e:
    e.write(b"5 + 5 bytes")
r, w = os.pipe()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGIO])
if not os.fork():
    lease = os.open("export/leased", os.O_RDWR)
    fcntl.fcntl(lease, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    os.write(w, b"x")
    signal.sigwait([signal.SIGIO])
    fcntl.fcntl(lease, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    os._exit(0)
os.read(r, 1)
f = os.open("3/leased", os.O_RDONLY)
assert len(os.read(f, 99)) == 11
say("restart_call 100003 at 127.0.0.1")
say("restart_call.return 1")
say("delay 5 seconds, 100003 v3 protocol 6")
say("delay.return")

os.listdir("4.2/below")
say("clone_client 127.0.0.1 nfs 100003 v4 protocol 6 port 2049 flavor 1")
say("clone_client.return an address")
END
cp "$SRCDIR/testsuite/run-vm/nfs_loopback.pl" .

cat >seen.stp <<'END'
global seen
function say(line:string) { if (!seen[line]++) println("K ", line) }
probe sunrpc.svc.drop { if (name == "sunrpc.svc.drop") say(sprintf("drop %#x protocol %d by %s from %s", rq_xid, rq_prot, sv_name, ip_ntop(peer_ip))) }
probe sunrpc.svc.drop.return { say("drop.return" . retstr) }
probe sunrpc.clnt.call_async { if (argstr == sprintf("nfs version %d procedure %s", vers, procname)) say(sprintf("call_async %s %d v%d at %s protocol %d port %d: %s", progname, prog, vers, servername, prot, port, procname)) }
probe sunrpc.clnt.call_async.return { say("call_async.return " . retstr) }
probe sunrpc.clnt.restart_call { if (argstr == "program 100003") say(sprintf("restart_call %d at %s", prog, servername)) }
probe sunrpc.clnt.restart_call.return { say("restart_call.return " . retstr) }
probe sunrpc.sched.delay { say(sprintf("delay %d seconds, %d v%d protocol %d", delay / HZ(), prog, vers, prot)) }
probe sunrpc.sched.delay.return { say("delay.return" . retstr) }
probe sunrpc.clnt.clone_client { say(sprintf("clone_client %s %s %d v%d protocol %d port %d flavor %d", servername, progname, prog, vers, prot, port, authflavor)) }
probe sunrpc.clnt.clone_client.return { say("clone_client.return " . (substr(retstr, 0, 4) == "0xff" ? "an address" : retstr)) }
END
for release in $(kernels); do
	in_guest 'modprobe -a nfsd nfsv3 nfsv4; perl nfs_loopback.pl /tmp/nfs 3 4.0 4.2; echo "udp 2049" >/proc/fs/nfsd/portlist'
	in_guest 'mkdir /tmp/nfs/export/below; mount -t tmpfs none /tmp/nfs/export/below
		end=2147483647; root=/tmp/nfs/export/below
		echo "ktap $root $end 9730 65534 65534 2" >/proc/net/rpc/nfsd.export/channel
		echo "ktap 1 \\x02000000 $end $root" >/proc/net/rpc/nfsd.fh/channel'
	session seen -c 'python3 work.py' seen.stp
	boot
	result seen
	sed -n 's/^T //p' out >expected
	grep -q '^clone_client.return' expected || fail "the program did not reach its end: $(cat err)"
	while read -r line; do
		grep -qxF -e "K $line" out || fail "no line '$line' on $release"
	done <expected
done
