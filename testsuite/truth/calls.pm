# SPDX-License-Identifier: GPL-2.0-or-later
# System calls of a program of 64 bits and one of 32: random arguments, edge values among them, in every call that there is a number for.
#
# Each case passes words that this file chose. Their widths and signs come from the prototypes in the kernel's
# include/linux/syscalls.h, and the numbers from the C library's headers: ktap reads neither. Two comparisons:
# - variables: each argument is the value of some variable of the alias that fired, and no numeric variable has another value;
# - argstr: each field against strace's, which traces the same run.
#
# A field of argstr agrees when
# - it is the number that was passed, or names that have its value, together, in the headers of the kernel's interface;
# - it says what strace says: without remarks, numbers as numbers, a string or list that was cut as a prefix, structures by the
#   members that both show;
# - strace has the number that was passed where ktap decodes: there is no witness for it then, and it is counted as not compared.
#
# Numbers of calls whose side effects would end the round get arguments that cannot be valid, or are left out with the reason: %FORCED,
# %LEFT_OUT.
package calls;
use strict;
use warnings;
no warnings 'portable';
use Process ();

our $about = 'arguments of system calls: variables with the words that were passed, argstr with strace';
our $kernels = '6.1 6.12 rt';

my $ARENA = 0x30000000;
my $BAD = 0x10;
my $NO_PID = 99999999;

my %LEFT_OUT = (
    (map { $_ => 'ends the program' } qw(exit exit_group rt_sigreturn sigreturn uretprobe)),
    (map { $_ => 'makes a process' } qw(fork vfork clone3)),
    (map { $_ => 'stops the program' } qw(pause sigsuspend rt_sigsuspend)),
    vhangup => 'takes the terminal', restart_syscall => 'has no arguments, and waits', socketcall => 'made as the calls it carries',
    ipc => 'made as the calls it carries', sync => 'slow',
);

# Arguments, by position from 0, that must have one of these values.
my %FORCED = (
    kill => { 0 => [$NO_PID] }, tkill => { 0 => [$NO_PID] }, tgkill => { 0 => [$NO_PID], 1 => [$NO_PID] },
    rt_sigqueueinfo => { 0 => [$NO_PID] }, rt_tgsigqueueinfo => { 0 => [$NO_PID], 1 => [$NO_PID] },
    clone => { 0 => [0x800, 0x800 | 0x100000] }, unshare => { 0 => [0x1, 0x40] }, arch_prctl => { 0 => [0x9999, 0xffffffff] },
    personality => { 0 => [0xffffffff] }, reboot => { 0 => [0, 1, 0xffffffff] }, syslog => { 0 => [10, 99] },
    ptrace => { 0 => [16, 0x4200, 0x7777], 1 => [$NO_PID] }, prctl => { 0 => [16, 0x7777, 0xffffffff, 30, 3, 39] },
    seccomp => { 0 => [77, 0xffffffff] }, keyctl => { 0 => [99, 0xffffffff] }, sethostname => { 1 => [0xffffffff, 100] },
    setdomainname => { 1 => [0xffffffff, 100] }, brk => { 0 => [0, $BAD] }, munmap => { 0 => [$BAD, 0x11] },
    mprotect => { 0 => [$BAD, 0x11] }, pkey_mprotect => { 0 => [$BAD] }, mremap => { 0 => [$BAD] }, madvise => { 0 => [$BAD] }, mseal => { 0 => [$BAD] },
    mmap => { 0 => [0, $BAD], 3 => [0, 0x22, 0x32, 0x4000022], 4 => [99, 0xffffffff] }, remap_file_pages => { 0 => [$BAD] },
    mmap2 => { 0 => [0, $BAD], 3 => [0, 0x22], 4 => [99, 0xffffffff] }, shmat => { 1 => [$BAD] },
    mlockall => { 0 => [0, 0x77] }, setrlimit => { 1 => [0, $BAD] }, prlimit64 => { 0 => [$NO_PID] },
    close_range => { 0 => [500], 1 => [600] }, setsid => {}, nice => { 0 => [0, 1] }, alarm => { 0 => [0, 5] },
    rt_sigaction => { 0 => [40, 64, 0, 0xffffffff] }, sigaction => { 0 => [0, 99, 0xffffffff] }, signal => { 0 => [0, 99] }, sigaltstack => { 0 => [0, $BAD] },
    setuid => { 0 => [0xffffffff] }, setgid => { 0 => [0xffffffff] }, setuid32 => { 0 => [0xffffffff] }, setgid32 => { 0 => [0xffffffff] },
    (map { $_ => { 0 => [0xffffffff], 1 => [0xffffffff], 2 => [0xffffffff] } } map { ($_, "${_}32") } qw(setreuid setregid setresuid setresgid)),
    setgroups => { 0 => [0xffffffff] }, setgroups32 => { 0 => [0xffffffff] }, setfsuid => { 0 => [0xffffffff] }, setfsgid => { 0 => [0xffffffff] },
    setfsuid32 => { 0 => [0xffffffff] }, setfsgid32 => { 0 => [0xffffffff] }, waitid => { 3 => [1 | 4] }, setns => { 0 => [99] },
    mount => { 0 => [0, $BAD], 1 => [0, $BAD] }, set_mempolicy => { 1 => [0] , 0 => [0, 77] }, sched_setscheduler => { 0 => [$NO_PID] },
    sched_setparam => { 0 => [$NO_PID] }, sched_setattr => { 0 => [$NO_PID] }, iopl => { 0 => [9, 0xffffffff] }, getrandom => { 1 => [0, 5, 64] },
    dup2 => { 0 => [99, 0xffffffff] }, dup3 => { 0 => [99, 0xffffffff] }, membarrier => { 0 => [0, 0x1000, 0xffffffff] }, fcntl => { 1 => [1, 3, 4, 0, 99] },
    fcntl64 => { 1 => [1, 3, 4, 0, 99] }, ioctl => { 0 => [99, 0xffffffff] }, rseq => { 0 => [$BAD] }, set_robust_list => { 1 => [1] },
    modify_ldt => { 0 => [99] }, process_madvise => { 0 => [99] }, landlock_restrict_self => { 0 => [99] }, umask => { 0 => [022, 0777] },
    init_module => { 1 => [0, 99, 0xffffffff] }, userfaultfd => { 0 => [0xffffffff] }, perf_event_open => { 0 => [0, $BAD] }, quotactl => { 0 => [0, 0x800002, 0xffffffff] },
);
# The words of these pointers may be any valid memory: what they change is nothing here.
my %STRUCTS_ALLOWED = map { $_ => 1 } qw(nanosleep bind connect sendto setsockopt write writev pwrite64 pwritev pwritev2 sendmsg);

# 64-bit numbers where x86-64 has no prototype in syscalls.h, and other names of prototypes.
my %OWN = (mmap => 'unsigned long addr, unsigned long len, unsigned long prot, unsigned long flags, unsigned int fd, unsigned long off',
    arch_prctl => 'int option, unsigned long arg2', iopl => 'unsigned int level', modify_ldt => 'int func, void *ptr, unsigned long bytecount',
    clone => 'unsigned long flags, unsigned long newsp, int *parent_tidptr, int *child_tidptr, unsigned long tls');
my %PROTOTYPE = (stat => 'newstat', fstat => 'newfstat', lstat => 'newlstat', uname => 'newuname', umount2 => 'umount', sendfile => 'sendfile64');
my %PROTOTYPE32 = (%PROTOTYPE, sendfile => 'sendfile', umount => 'oldumount', _llseek => 'llseek', _newselect => 'select', mmap2 => 'mmap_pgoff',
    ugetrlimit => 'getrlimit', oldstat => 'stat', oldfstat => 'fstat', oldlstat => 'lstat',
    (map { $_ => "${_}16" } qw(chown fchown lchown setreuid setregid setresuid setresgid setuid setgid setfsuid setfsgid getuid getgid geteuid getegid
        getresuid getresgid getgroups setgroups)),
    (map { ("${_}32" => $_) } qw(chown fchown lchown setreuid setregid setresuid setresgid setuid setgid setfsuid setfsgid getuid getgid geteuid getegid
        getresuid getresgid getgroups setgroups)),
    (map { ("${_}64" => $_) } qw(clock_gettime clock_settime clock_adjtime timer_gettime timer_settime timerfd_gettime timerfd_settime)),
    (map { ("${_}_time64" => $_) } qw(clock_getres clock_nanosleep utimensat pselect6 ppoll io_pgetevents recvmmsg mq_timedsend mq_timedreceive semtimedop
        rt_sigtimedwait futex sched_rr_get_interval)));
my @SOCKETCALLS = qw(socket bind connect listen accept getsockname getpeername socketpair send recv sendto recvfrom shutdown setsockopt getsockopt
    sendmsg recvmsg accept4 recvmmsg sendmmsg);

# [type, name] of each argument, by name of the function without sys_.
sub prototypes {
    my ($release) = @_;
    my ($path) = grep { -e } map { "/lib/modules/$release/$_/include/linux/syscalls.h" } qw(source build);
    die "no include/linux/syscalls.h of $release\n" unless $path;
    my $text = Process::read_file($path);
    $text =~ s{/\*.*?\*/}{}gs;
    $text =~ s{^#if defined\(CONFIG_ARCH_SPLIT_ARG64\)\n(?:(?!#)[^\n]*\n)*#else\n(.*?)^#endif\n}{$1}gms;
    my %found;
    while ($text =~ /asmlinkage\s+long\s+sys_(\w+)\s*\(([^)]*)\)/g) {
        $found{$1} //= arguments($2);
    }
    $found{$_} = arguments($OWN{$_}) for keys %OWN;
    return \%found;
}

sub arguments {
    my ($text) = @_;
    $text =~ s/\s+/ /g;
    return [] if $text =~ /^ ?(void)? ?$/;
    return [map { s/__user|__attribute__\S*//gr =~ s/ +/ /gr } split /,/, $text];
}

# How a prototype's type is passed: wide (64 bits), path, pointer, long, ulong, int, mode16, id16.
sub class_of {
    my ($type) = @_;
    return 'path' if $type =~ /const char *\*/;
    return 'pointer' if $type =~ /\*|__sighandler_t|cap_user|aio_context_t/;
    return 'wide' if $type =~ /\b(loff_t|u64|__u64)\b/;
    # As wide as a register, and cut to an int.
    return 'int' if $type =~ /unsigned long fd\b/;
    return 'mode16' if $type =~ /\bumode_t\b/;
    return 'id16' if $type =~ /\bold_[ug]id_t\b/;
    return 'ulong' if $type =~ /unsigned long|size_t|old_sigset_t|key_serial|uintptr/ && $type !~ /ssize_t|key_serial/;
    return 'long' if $type =~ /\b(long|off_t|ssize_t)\b/ && $type !~ /unsigned/;
    return 'int';
}

sub numbers {
    my ($bits) = @_;
    my $text = Process::read_file("/usr/include/x86_64-linux-gnu/asm/unistd_$bits.h");
    my %number;
    $number{$1} = $2 while $text =~ /^#define __NR_(\w+)\s+(\d+)$/mg;
    return \%number;
}

# ---- drawing ----
# The arena that both programs map at the same address: strings, bytes, structures, and the blocks of arguments at the end.
sub arena {
    my ($w, $bits) = @_;
    my $word = $bits == 64 ? 'q' : 'l';
    my @strings = ('nosuch', '', "tab\tquote\"nl\n\\", join('', map { chr(97 + $_ % 26) } 0 .. 299), "\377\001high", '/nosuch/dir');
    my ($bytes, @at) = ('');
    for my $part ((map { "$_\0" } @strings), join('', map { chr $w->random(256) } 1 .. 300), pack("($word)2", 0, 1000),
        pack('S n a4 x8', 2, 4711, "\x7f\0\0\1"), pack('S Z*', 1, '/nosuch/socket')) {
        $bytes .= "\0" while length($bytes) % 16;
        push @at, $ARENA + length $bytes;
        $bytes .= $part;
    }
    return { bytes => $bytes, strings => [@at[0 .. $#strings]], data => $at[@strings], timespec => $at[@strings + 1],
        structs => [@at[@strings .. $#at]] };
}

sub draw {
    my ($w, $arena, $name, $class, $type, $bits) = @_;
    my $max = $bits == 64 ? 0xffffffffffffffff : 0xffffffff;
    my $some = $w->pick(0, 1, 2, $w->random(256), $w->random(65536), 0x7fffffff, 0x80000000, 0xffffffff, $w->random(0x7fffffff));
    return $w->pick(@{$arena->{strings}}, @{$arena->{strings}}, 0, $BAD, $max) if $class eq 'path';
    return $w->pick(0, $BAD, $max, $STRUCTS_ALLOWED{$name} ? @{$arena->{structs}} : ($BAD + 0x20)) if $class eq 'pointer';
    return $w->pick(99, 0xffffffff, 0x7fffffff, 50) if $class eq 'int' && $type =~ /\b(\w*fd\w*|fildes|mqdes|epfd|newdfd|olddfd)\b/;
    return $NO_PID if $type =~ /pid_t/;
    return $w->pick(0, 1, -1 & 0xffffffffffffffff, $w->random(1 << 20) << 32 | $w->random(1 << 30), 1 << 62) if $class eq 'wide';
    return $w->pick(0, 5, $max, $w->random(4096), $some) if $class =~ /long/;
    return $some & 0xffff if $class eq 'id16';
    return $some;
}

# The words of a case, and [class, value] of each argument as the prototype has it.
sub case {
    my ($w, $arena, $prototypes, $name, $bits) = @_;
    my %names = $bits == 64 ? %PROTOTYPE : %PROTOTYPE32;
    my $prototype = $prototypes->{$names{$name} // $name};
    $prototype = $prototypes->{$name} if $bits == 32 && !$prototype;
    return undef unless $prototype;
    my (@words, @arguments, $low);
    for my $n (0 .. $#$prototype) {
        my $type = $prototype->[$n];
        my $class = class_of($type);
        my $forced = $FORCED{$name}{$n};
        my $value = $forced ? $w->pick(@$forced) : draw($w, $arena, $name, $class, $type, $bits);
        if ($type =~ /\bpos_l\b/) {
            # One offset, in two words of a 32-bit program. Programs of 64 bits have all of it in the first.
            push @words, $bits == 64 ? $value : $value & 0xffffffff;
            push @arguments, ['wide', $value];
            $low = $#arguments;
            next;
        }
        if ($type =~ /\bpos_h\b/) {
            push @words, $value & 0xffffffff;
            $arguments[$low][1] = ($arguments[$low][1] & 0xffffffff) | ($value & 0xffffffff) << 32 if $bits == 32;
            next;
        }
        push @words, $class eq 'wide' && $bits == 32 ? ($value & 0xffffffff, $value >> 32) : $value;
        push @arguments, [$class, $value];
    }
    @words[3, 4] = @words[4, 3] if $name eq 'clone' && $bits == 32;
    return { name => $name, words => \@words, arguments => \@arguments };
}

# The cases of a round for programs of BITS, with their numbers.
sub cases {
    my ($w, $bits, $arena, $prototypes) = @_;
    my $number = numbers($bits);
    my @cases;
    for my $name (sort keys %$number) {
        if ($LEFT_OUT{$name}) {
            $w->skip("$bits bits: $LEFT_OUT{$name}: $name");
            next;
        }
        for (1 .. $w->size) {
            my $case = case($w, $arena, $prototypes, $name, $bits);
            if (!$case) {
                $w->skip("$bits bits: no prototype: $name");
                last;
            }
            # The old forms, with a block.
            if ($bits == 32 && $name =~ /^(?:mmap|select)$/) {
                push @cases, in_block($arena, $case, $number->{$name});
                next;
            }
            push @cases, { %$case, number => $number->{$name} };
        }
    }
    return @cases if $bits == 64;
    # As socketcall() has them, in a block of words.
    for my $sub (1 .. @SOCKETCALLS) {
        my $case = case($w, $arena, $prototypes, $SOCKETCALLS[$sub - 1], 32) or die "no prototype of $SOCKETCALLS[$sub - 1]\n";
        push @cases, in_block($arena, $case, 102, $sub);
    }
    return @cases;
}

# The case with its words in the arena, made by NUMBER with the words BEFORE and the address.
sub in_block {
    my ($arena, $case, $number, @before) = @_;
    $arena->{bytes} .= "\0" while length($arena->{bytes}) % 16;
    my $at = $ARENA + length $arena->{bytes};
    $arena->{bytes} .= pack('L*', map { $_ & 0xffffffff } @{$case->{words}});
    return { %$case, number => $number, words => [@before, $at] };
}

# ---- the program ----
my $MARK = 70000;   # close() of it and the case's number, before the case

sub source {
    my ($arena, @cases) = @_;
    my $rows = join('', map { my $c = $_; "\t{ $c->{number}, { " . join(', ', map { sprintf('%#xull', $_) } @{$c->{words}}) . " } },\n" } @cases);
    my $bytes = join(',', unpack('C*', $arena->{bytes}));
    return <<"END";
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
static const struct { int number; unsigned long long w[6]; } cases[] = {
$rows};
static const unsigned char bytes[] = { $bytes };
static void nothing(int sig) { }
int main(void)
{
	struct sigaction act = { .sa_handler = nothing };
	struct itimerval often = { { 0, 200000 }, { 0, 200000 } };
	unsigned char *arena = mmap((void *)$ARENA, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	sigset_t none;

	sigemptyset(&none);
	sigaction(SIGALRM, &act, 0);
	signal(SIGSYS, SIG_IGN);
	dup2(open("/dev/null", O_RDWR), 50);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned long w[6];

		for (int n = 0; n < 6; n++)
			w[n] = cases[i].w[n];
		memcpy(arena, bytes, sizeof(bytes));
		sigprocmask(SIG_SETMASK, &none, 0);
		setitimer(ITIMER_REAL, &often, 0);
		syscall(SYS_close, $MARK + i);
		syscall(cases[i].number, w[0], w[1], w[2], w[3], w[4], w[5]);
	}
	return 0;
}
END
}

# The script: a line for each hit, with argstr and all numeric variables of the alias.
sub script {
    my ($w) = @_;
    my $listing = $w->ktap('-L', 'syscall.*', '-r', $w->release);
    die "ktap -L: $listing->{err}" if $listing->{status};
    my $text = '';
    for my $line (split /\n/, $listing->{out}) {
        my ($alias, $variables) = $line =~ /^(syscall\.\w+) (.*)/ or next;
        next if $alias eq 'syscall.ni_syscall';
        my @numbers = $variables =~ /\b([a-z]\w*):long/g;
        $text .= "probe $alias { if (execname() =~ \"^calls(32|64)\$\") printf(\"K %s %s(%s)\\001"
            . join(' ', map { "$_=%d" } @numbers) . "\\n\", execname(), name, argstr" . join('', map { ", $_" } @numbers) . ") }\n";
    }
    return $text;
}

# ---- comparing ----
sub family { return $_[0] =~ s/^_?(?:new|old|u(?=get))?//r =~ s/_time64$//r =~ s/(?:64_64|64|32|16|2|4)?$//r =~ s/^f?statat$/fstatat/r; }

# All that a value of the class may be shown as.
sub forms {
    my ($class, $value, $bits) = @_;
    my $narrow = $value & 0xffffffff;
    return ($value, unpack('q', pack('Q', $value))) if $class eq 'wide' || ($bits == 64 && $class !~ /^(int|id16|mode16)$/);
    return $narrow & 0xffff if $class eq 'mode16';
    return ($narrow & 0xffff, ($narrow & 0xffff) == 0xffff ? -1 : ()) if $class eq 'id16';
    return ($narrow, unpack('l', pack('L', $narrow)));
}

# Text split at commas that are in no string and no bracket.
sub fields {
    my ($text) = @_;
    my (@fields, $field, $depth) = ();
    ($field, $depth) = ('', 0);
    while ($text =~ m{\G("(?:[^"\\]|\\.)*"|/\*.*?\*/|[\[\{(]|[\]\})]|, |.)}gs) {
        my $t = $1;
        $depth++ if $t =~ /^[\[\{(]$/;
        $depth-- if $t =~ /^[\]\})]$/;
        if ($t eq ', ' && !$depth) { push @fields, $field; $field = ''; } else { $field .= $t; }
    }
    return (@fields, $field ne '' || @fields ? $field : ());
}

sub number_of {
    my ($text) = @_;
    return 0 if $text eq 'NULL';
    return hex $text if $text =~ /^0x[0-9a-f]+$/i;
    return oct $text if $text =~ /^0[0-7]+$/;
    return $text =~ /^-?\d+$/ ? $text : undef;
}

# The values that the names in TEXT have in the headers of the kernel's interface.
my @HEADERS = map { "linux/$_.h" } qw(fcntl mman sched wait futex time timerfd eventpoll eventfd inotify fanotify falloc fadvise mempolicy mount keyctl
    ipc shm sem msg kexec kcmp membarrier memfd openat2 perf_event prctl ptrace quota random reboot resource seccomp stat close_range
    fs swab if_packet userfaultfd timex aio_abi io_uring module landlock rseq pidfd xattr in net nsfs signal capability);
sub values_of_names {
    my ($w, $text) = @_;
    my %name = map { $_ => 1 } $text =~ /\b((?:__)?[A-Z][A-Z0-9]*_[A-Z0-9_]+|SIG[A-Z]+|(?:__)?W[A-Z]+|GET[A-Z]+|SET[A-Z]+)\b/g;
    # Those of sockets are in the C library's alone, which has structures of the other headers too.
    my $values = '';
    for my $headers ([@HEADERS], ['sys/socket.h', 'sys/stat.h']) {
        $w->file('names.c', "#include <stdio.h>\n" . join('', map { "#if __has_include(<$_>)\n#include <$_>\n#endif\n" } @$headers)
            . "int main(void)\n{\n"
            . join('', map { "#ifdef $_\nprintf(\"$_ %llu\\n\", (unsigned long long)($_));\n#endif\n" } sort keys %name) . "}\n");
        $w->must('gcc', '-w', '-o', 'names', 'names.c');
        $values .= $w->must('./names');
    }
    # Names that are younger than the headers, and one of the C library's.
    my %younger = (O_ASYNC => 020000, KEXEC_FILE_DEBUG => 8, KEXEC_UPDATE_ELFCOREHDR => 4, KEXEC_CRASH_HOTPLUG_SUPPORT => 8, MFD_NOEXEC_SEAL => 8,
        MFD_EXEC => 16, MSG_PROBE => 0x10, MSG_BATCH => 0x40000);
    return { %younger, map { /^(\w+) (\d+)$/ ? ($1 => $2) : () } split /\n/, $values };
}

# The number that names and numbers stand for; undef: it is something else, or a name has no known value.
sub evaluated {
    my ($text, $names) = @_;
    my $value = 0;
    for my $part (split /\|/, $text) {
        my $n = number_of($part) // $names->{$part};
        return undef unless defined $n;
        $value |= $n;
    }
    return $value;
}

# Whether two structures have the same members, of those that both show.
sub same_members {
    my ($k, $s) = @_;
    my @of = map { my %m; for (fields(s/^\{|\}$//gr)) { $m{$1} = $2 if /^(\w+)=(.*)$/s } \%m } $k, $s;
    return !grep { exists $of[1]{$_} && !same($of[0]{$_}, $of[1]{$_}) } keys %{$of[0]};
}

# Whether two lists begin with the same elements.
sub same_lists {
    my ($k, $s) = @_;
    my @of = map { [fields(s/^\[|\]$//gr)] } $k, $s;
    for my $n (0 .. $#{$of[0]}) {
        return 1 if $of[0][$n] eq '...' || ($of[1][$n] // '') =~ /^\.\.\./;
        return 0 unless same($of[0][$n], $of[1][$n] // '');
    }
    return 1;
}

# Whether two fields say the same.
sub same {
    my ($k, $s) = @_;
    $s =~ s{ ?/\*.*?\*/}{}g;
    $s =~ s/\bFASYNC\b/O_ASYNC/g;
    $s =~ s/\bSCHED_OTHER\b/SCHED_NORMAL/g; # the C library's name, and the kernel's
    $s =~ s/\bSIGRT_(\d+)/SIGRTMIN+$1/g;
    /^"/ || s/\b0x([0-9a-f]+)\b/hex $1/ge for $k, $s;
    return 1 if $k eq $s;
    return same_members($k, $s) if $k =~ /^\{/ && $s =~ /^\{/;
    return same_lists($k, $s) if $k =~ /^\[/ && $s =~ /^\[/;
    my ($x, $y) = (number_of($k), number_of($s));
    return 1 if defined $x && defined $y && (($x & ~0) == ($y & ~0) || ($x & 0xffffffff) == ($y & 0xffffffff) && (abs($x) < 1 << 32));
    # An option of a socket that is an int may be longer.
    return unpack('l<', unescaped($k)) == $1 if $k =~ /^"/ && $s =~ /^\[(-?\d+)\]$/;
    if ($s =~ /^"/ && $k =~ /^"(.*)"(\.\.\.)?$/s) {
        my $start = $1;
        return index($s, '"' . $start) == 0 || unescaped($k) eq unescaped($s) || index(unescaped($s), unescaped(qq("$start"))) == 0
            || index(unescaped(qq("$start")), unescaped($s =~ s/\.\.\.$//r)) == 0;
    }
    my ($flags_k, $flags_s) = (flags($k), flags($s));
    return defined $flags_k && defined $flags_s && $flags_k eq $flags_s;
}

sub unescaped {
    my ($text) = @_;
    my %letter = (n => "\n", t => "\t", r => "\r", v => "\x0b", f => "\f");
    $text =~ s/"\.\.\.$|^"|"$//g;
    return $text =~ s/\\(?:([0-7]{1,3})|(.))/defined $1 ? chr oct $1 : $letter{$2} \/\/ $2/ger;
}

sub flags {
    my ($text) = @_;
    return undef if $text !~ /^[A-Za-z0-9_|]+$/;
    my ($rest, @names) = (0);
    for (split /\|/, $text) {
        my $n = number_of($_);
        if (defined $n) { $rest |= $n; } else { push @names, $_; }
    }
    return join('|', sort(@names), $rest ? sprintf('%#x', $rest) : ());
}

# The calls after each mark: number of the case => the line.
sub by_case {
    my ($pattern, $lines) = @_;
    my (%found, $mark);
    for my $line (split /\n/, $lines) {
        next unless $line =~ $pattern;
        my ($name, $rest) = ($1, $2);
        next if $name =~ /^(?:rt_)?sigreturn$/; # the timer's signal came between the mark and the call
        if ($name eq 'close' && $rest =~ /^(\d+)\)/ && $1 >= $MARK && $1 < $MARK + 65536) {
            $mark = $1 - $MARK;
        } elsif (defined $mark) {
            $found{$mark} //= [$name, $rest];
            $mark = undef;
        }
    }
    return \%found;
}

sub compare_case {
    my ($w, $bits, $case, $ktap, $strace, $names) = @_;
    my $text = "$bits bits: $case->{name}(" . join(', ', map { sprintf('%#x', $_->[1]) } @{$case->{arguments}}) . ')';
    $w->compare("calls of $bits bits", $text, family($case->{name}), $ktap ? family($ktap->[0]) : 'nothing') or return;
    my ($argstr, $variables) = $ktap->[1] =~ /^(.*)\)\001(.*)$/s;
    my @values = $variables =~ /=(-?\d+)/g;
    my %allowed = (0 => 1);
    for my $argument (@{$case->{arguments}}) {
        my @forms = forms(@$argument, $bits);
        $allowed{$_} = 1 for @forms;
        # A string has an address, which is a variable too.
        my $has = grep { my $f = $_; grep { $_ eq $f } @values } @forms;
        $w->compare("arguments of $bits bits", "$text: a variable with $forms[0], of $variables", 1, $has ? 1 : 0);
    }
    my @odd = grep { !$allowed{$_} } @values;
    $w->compare("variables of $bits bits", "$text: $variables", '', "@odd");
    # strace has the arguments of clone in another order.
    return if !$strace || $case->{name} eq 'clone';
    my @k = fields($argstr);
    my @s = fields($strace->[1] =~ s/\)\s+= .*$//sr);
    for my $n (0 .. (@k < @s ? $#k : $#s)) {
        my $argument = $case->{arguments}[$n];
        my $k = evaluated($k[$n], $names);
        my @forms = $argument ? forms(@$argument, $bits) : ();
        my $mask = $argument && $argument->[0] =~ /^(int|id16|mode16)$/ ? 0xffffffff : $bits == 32 && $argument && $argument->[0] ne 'wide' ? 0xffffffff : -1;
        my $passed = defined $k && grep { ($_ & $mask) == ($k & $mask) } @forms;
        my $s = number_of($s[$n] =~ s{ ?/\*.*?\*/}{}gr);
        if (!$passed && !same($k[$n], $s[$n]) && defined $s && grep { $_ == $s } @forms) {
            $w->skip("$bits bits: strace does not decode: $case->{name}");
            next;
        }
        $w->compare("fields of $bits bits", "$text: argument $n of $argstr", $s[$n], $passed || same($k[$n], $s[$n]) ? $s[$n] : $k[$n]);
    }
}

sub round {
    my ($w) = @_;
    my $prototypes = prototypes($w->release);
    my %cases;
    for my $bits (64, 32) {
        my $arena = arena($w, $bits);
        $cases{$bits} = [cases($w, $bits, $arena, $prototypes)];
        $w->file("calls$bits.c", source($arena, @{$cases{$bits}}));
        $w->must('gcc', "-m$bits", '-w', '-O1', '-idirafter', '/usr/include/x86_64-linux-gnu', '-o', "calls$bits", "calls$bits.c");
    }
    $w->file('watch.stp', script($w));
    # Without that right nothing is mapped at address 0, where calls read then, or over all of the program.
    $w->file('both', "cd /tmp\nfor b in 64 32; do setpriv --inh-caps -sys_rawio --bounding-set -sys_rawio strace -s 300 -o \$RESULTS/strace\$b \$HERE/calls\$b >\$RESULTS/calls\$b 2>&1 </dev/null; done\n");
    $w->guest('export HERE=$PWD RESULTS');
    defined $w->session('watch', 'watch.stp', '-c', 'sh ./both') or die "refused: $w->{refusal}";
    my $files = $w->boot;
    my $names = values_of_names($w, $files->{'watch.out'} // '');
    for my $bits (64, 32) {
        my $ktap = by_case(qr/^K calls$bits (\w+)\((.*)/s, $files->{'watch.out'} // '');
        my $strace = by_case(qr/^(\w+)\((.*)/s, $files->{"strace$bits"} // '');
        # A call with such arguments may end the program: MAP_FIXED over its own code.
        my ($last) = ($files->{"strace$bits"} // '') =~ /^\+\+\+ killed by/m ? sort { $b <=> $a } keys %$strace : $#{$cases{$bits}};
        $w->skip("$bits bits: a call before it ended the program") for $last + 1 .. $#{$cases{$bits}};
        compare_case($w, $bits, $cases{$bits}[$_], $ktap->{$_}, $strace->{$_}, $names) for 0 .. $last;
    }
}

1;
