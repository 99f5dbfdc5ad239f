# What a program in the VM that runs modules for the host needs: frames for the answer, the kernel's complaints, and
# what is loaded. The host's side of a frame is Vm::read_frames.
package Session;
use strict;
use warnings;
use Fcntl ();
use Process;

# What the kernel must not say while a module of ours is loaded.
our $COMPLAINT = qr/\bBUG:|WARNING:|Oops|unpatched|general protection|Call Trace|INFO: .*(?:stall|blocked)
    |unable to handle|possible recursive|scheduling while atomic|\bUBSAN\b|\bKASAN\b|soft lockup/x;

# A line `@@NUMBER WHAT LENGTH` and that many bytes of uuencoded text.
sub frame {
    my ($number, $what, $bytes) = @_;
    my $coded = pack('u', $bytes);
    print "\@\@$number $what ", length($coded), "\n", $coded;
}

my $kmsg;

# The kernel's messages since the last call.
sub kernel_log {
    unless ($kmsg) {
        sysopen($kmsg, '/dev/kmsg', Fcntl::O_RDONLY() | Fcntl::O_NONBLOCK()) or return '';
    }
    my $text = '';
    for (1 .. 5000) {
        my $got = sysread($kmsg, my $record, 8192);
        last unless $got || $!{EPIPE};
        next unless $got;
        my ($head, $message) = split(/;/, $record, 2);
        $message = '' unless defined $message;
        $message =~ s/\n.*//s;
        $text .= "$message\n";
    }
    return $text;
}

# The messages since the last call when a complaint is among them, else ''.
sub complaints {
    my $log = kernel_log();
    return (grep { $_ =~ $COMPLAINT } split(/\n/, $log)) ? $log : '';
}

# Names of the modules that are loaded, the newest first.
sub modules {
    return map { /^(\S+)/ ? $1 : () } split(/\n/, Process::read_file('/proc/modules'));
}

# Removes the modules of sessions that did not: nothing may be left for the next one.
sub remove {
    my ($ktaprun, @left) = @_;
    for my $module (@left) {
        system("$ktaprun -d $module >/dev/null 2>&1; rmmod $module 2>/dev/null");
    }
}

1;
