# SPDX-License-Identifier: GPL-2.0-or-later
# Makes this machine a server of NFS 3 and 4 and mounts what it serves: nfs_loopback.pl FOLDER VERSION...
#
# FOLDER/export, a tmpfs, is served; FOLDER/VERSION is where a client of that version ("3", "4.0", "4.1") mounts it. The
# daemons that nfs-utils would start are stood in for: the tables of exports are filled beforehand, and one process
# answers what the kernel asks rpcbind and mountd. It ends with the machine. A server that was stopped since is started again.
use strict;
use warnings;
use Errno;
use Socket;

my ($folder, @versions) = @ARGV;
my $MOUNTD = 20048;
my $FOR_EVER = 2147483647;
# Writable, any port, root is root, no check of the path, number of file system given.
my $FLAGS = 0x2602;
my $MOUNT = `uname -m` =~ /^aarch64/ ? 40 : 165;

sub put {
    my ($file, $text) = @_;
    open(my $out, '>', $file) or die "$file: $!\n";
    syswrite($out, "$text\n") or die "$file: '$text': $!\n";
    close($out);
}

sub mounted {
    my ($source, $target, $type, $data) = @_;
    -d $target or mkdir $target or die "$target: $!\n";
    syscall($MOUNT, $source, $target, $type, 0, $data) == 0 or die "mount $source on $target: $!\n";
}

# Ends the grace period of NFS 4, or waits for its end: a kernel that keeps no record of clients refuses to end it.
sub end_grace {
    my $switch = '/proc/fs/nfsd/v4_end_grace';
    return if eval { put($switch, 'Y'); 1 };
    die $@ unless $!{EBUSY};
    while (1) {
        open(my $in, '<', $switch) or die "$switch: $!\n";
        last if readline($in) =~ /^Y/;
        sleep 1;
    }
}

# Handle of the folder that is served, as mountd asks the kernel for it.
sub handle {
    open(my $file, '+<', '/proc/fs/nfsd/filehandle') or die "filehandle: $!\n";
    syswrite($file, "ktap $folder/export 64\n") or die "filehandle: $!\n";
    sysread($file, my $text, 4096) or die "filehandle: $!\n";
    $text =~ /\\x([0-9a-f]+)/ or die "filehandle: $text\n";
    return pack('H*', $1);
}

# What the answer to one call carries behind its header; CALL begins with the number of the call.
sub answer {
    my ($call, $root) = @_;
    my ($program, $procedure) = (unpack('N6', $call))[3, 5];
    return pack('N', 1) if $program == 100000;
    return '' if $procedure != 1;
    return pack('N2 a* x![4] N2', 0, length($root), $root, 1, 1);
}

# One connection: records of {last fragment bit and length, call}.
sub serve {
    my ($peer, $root) = @_;
    while (defined(my $n = read($peer, my $mark, 4))) {
        last if $n < 4;
        read($peer, my $call, unpack('N', $mark) & 0x7fffffff);
        my $reply = pack('a4 N5', $call, 1, 0, 0, 0, 0) . answer($call, $root);
        syswrite($peer, pack('N', 0x80000000 | length($reply)) . $reply);
    }
}

sub daemon {
    my ($port, $root) = @_;
    socket(my $listener, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n";
    setsockopt($listener, SOL_SOCKET, SO_REUSEADDR, 1);
    # It is there from an earlier run.
    bind($listener, sockaddr_in($port, INADDR_LOOPBACK)) or return;
    listen($listener, 5);
    return if fork;
    open(STDIN, '<', '/dev/null');
    open(STDOUT, '>', '/dev/null');
    open(STDERR, '>', '/dev/null');
    while (accept(my $peer, $listener)) {
        next if fork;
        serve($peer, $root->());
        exit;
    }
}

system 'ip link set lo up';
system 'modprobe', '-a', 'nfsd', 'nfsv3', 'nfsv4';
unless (-e '/proc/fs/nfsd/threads') {
    mkdir $folder;
    mounted('none', "$folder/export", 'tmpfs', '');
    mounted('none', '/proc/fs/nfsd', 'nfsd', '');
    mkdir '/var/lib/nfs';
    mkdir '/var/lib/nfs/v4recovery';
}
daemon(111, sub { '' });
my $root = '';
put('/proc/net/rpc/auth.unix.ip/channel', "nfsd 127.0.0.1 $FOR_EVER ktap");
put('/proc/net/rpc/nfsd.export/channel', "ktap $folder/export $FOR_EVER $FLAGS 65534 65534 0");
put('/proc/net/rpc/nfsd.fh/channel', "ktap 1 \\x00000000 $FOR_EVER $folder/export");
put('/proc/fs/nfsd/nfsv4gracetime', 10);
put('/proc/fs/nfsd/portlist', 'tcp 2049');
put('/proc/fs/nfsd/threads', 2);
end_grace();
$root = handle();
daemon($MOUNTD, sub { $root });
for my $version (@versions) {
    my $data = "vers=$version,proto=tcp,port=2049,addr=127.0.0.1";
    if ($version == 3) {
        mounted("127.0.0.1:$folder/export", "$folder/$version", 'nfs',
            "$data,nolock,mountvers=3,mountport=$MOUNTD,mountproto=tcp,mountaddr=127.0.0.1");
    } else {
        mounted('127.0.0.1:/', "$folder/$version", 'nfs4', "$data,clientaddr=127.0.0.1");
    }
}
