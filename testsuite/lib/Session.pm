# SPDX-License-Identifier: GPL-2.0-or-later
# What a program in the VM that runs modules for the host needs: frames for the answer, the kernel's complaints, and
# what is loaded. The host's side of a frame is Vm::read_frames.
package Session;
use strict;
use warnings;
use Fcntl ();
use Process;

# Lines that a kernel must not log while a test runs: crashes, warnings, and reports of its debugging options. A watchdog
# that a slow machine sets off is among them; debug-kernels/*.config give those kernels more time.
our $COMPLAINT = qr/\bBUG[:\s]|kernel\ BUG|WARNING:|Oops|unpatched|general\ protection|Call\ Trace|unable\ to\ handle
    |INFO:.*(?:stall|blocked|non-static\ key)|possible\ recursive|scheduling\ while\ atomic|soft\ lockup|hard\ LOCKUP
    |\b(?:UBSAN|KASAN|ODEBUG|KFENCE)\b|refcount_t:|list_(?:add|del)\ corruption|pagealloc:.*corruption
    |percpu:\ allocation\ failed/x;

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

# The complaints in a kernel's log TEXT as lines that say why a test failed: each with its first lines, no more than
# fill a screen. Lines that match one of EXPECTED are none. Returns none when there is no complaint.
sub problems {
    my ($text, @expected) = @_;
    my @lines = split /\r?\n/, $text;
    my ($first) = grep {
        my $line = $lines[$_];
        $line =~ $COMPLAINT && !grep { $line =~ $_ } @expected;
    } 0 .. $#lines;
    return () unless defined $first;
    my $last = $first + 59 < $#lines ? $first + 59 : $#lines;
    $first -= 5 if $first >= 5;
    return ('the kernel complained:', map { "| $_" } @lines[$first .. $last]);
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
