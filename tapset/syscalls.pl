#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the aliases of system calls from their table: syscalls.pl SYSCALLS.DEF FOLDER
# and their manual page: syscalls.pl SYSCALLS.DEF --man > ktap-syscalls.5
#
# The form of the table is described at its top. A file per first letter, so that a script that names one call has little to
# parse. Each alias comes with the doc comment that the manual is made of; variables of one meaning have one text.
use strict;
use warnings;
use File::Basename ();
use lib File::Basename::dirname(__FILE__) . '/../man';

my ($table, $folder) = @ARGV;
die "usage: syscalls.pl SYSCALLS.DEF FOLDER|--man\n" unless defined $folder;

my %kinds;     # name => {class, text}
my %carriers;  # alias => 1: 32-bit programs make other calls by its number
my %aliases;   # name => [{name, arguments => [[name, kind]], also}]

sub read_table {
    open(my $in, '<', $table) or die "$table: $!\n";
    local $/;
    my $text = <$in>;
    $text =~ s{(/\*.*?\*/)}{$1 =~ s/[^\n]//gr}gse;
    my ($kinds, $calls) = (0, 0);
    while ($text =~ /^KIND\((\w+),\s*(\w+),\s*\w+,\s*\w+,\s*\w+,\s*"([^"]*)"\)/mg) {
        $kinds{$1} = { class => $2, text => $3 };
        # The text describes each argument of this kind.
        die "$table:" . (1 + (substr($text, 0, $-[0]) =~ tr/\n//)) . ": nothing is said of kind '$1'\n" if $3 !~ /\w/;
        $kinds++;
    }
    my %carried = map { $_ => 1 } $text =~ /^VIA\(\w+, (\d+), (?!-1)/mg;
    while ($text =~ /^CALL\(\w+, (\w+), -?\d+, (\d+),/mg) {
        $carriers{$1} = 1 if $carried{$2};
    }
    while ($text =~ /^CALL\((\w+),\s*(\w+),(?:\s*-?\d+,){3}\s*[dxo],\s*((?:A\(\w+, \w+\)\s*)*),\s*"([^"]*)"\)/mg) {
        my ($name, $alias, $arguments, $also) = ($1, $2, $3, $4);
        my @arguments = map { [/A\((\w+), (\w+)\)/] } $arguments =~ /A\(\w+, \w+\)/g;
        for my $a (@arguments) {
            die "$table: $name: no kind '$a->[1]'\n" unless $kinds{$a->[1]};
        }
        push @{$aliases{$alias}}, { name => $name, arguments => \@arguments, also => $also };
        $calls++;
    }
    # A row that is not understood must not be left out in silence.
    my ($all_kinds, $all_calls) = (scalar(() = $text =~ /^KIND\(/mg), scalar(() = $text =~ /^CALL\(/mg));
    die "$table: $kinds of $all_kinds kinds and $calls of $all_calls calls have the form of the table\n"
        if $kinds != $all_kinds || $calls != $all_calls;
}

# FORM:ARGUMENT... as [expression, text], with the arguments of the call at hand.
sub form {
    my ($spec, $call) = @_;
    my ($form, $n, @more) = split /:/, $spec;
    return ('0', 'always 0, as this call has no such argument') if $form eq 'zero';
    return ('"0x0"', 'as a string') if $form eq 'zerostr';
    my $argument = $call->{arguments}[$n - 1] or die "$table: $call->{name}: no argument $n\n";
    my $text = $kinds{$argument->[1]}{text};
    return ("__syscall_number($n)", $text) if $form eq 'num';
    return ("__syscall_text($n)", "$text, as in argstr") if $form eq 'str';
    return ("__syscall_plain($n)", 'without quotes') if $form eq 'text';
    return ("__syscall_memory($n, " . 4 * $more[0] . ', 4)', 'number ' . ($more[0] + 1) . ' of two, at the return')
        if $form eq 'pair';
    return ("__syscall_memory($n, $more[0], $more[1])", 'a member of the structure') if $form eq 'user';
    die "$table: $call->{name}: no form '$form'\n";
}

# Parts of the socket address in argument N.
sub sockaddr_variables {
    my ($n) = @_;
    return (['uaddr_af', "__syscall_family($n)", 'the address family, as in "AF_INET"'],
        ['uaddr_ip', "__syscall_sockaddr_ip($n)", 'the Internet address'],
        ['uaddr_ip_port', "__syscall_port($n)", 'the port, "" if there is none'],
        ['uaddr_ipv6_flowinfo', "__syscall_address_part($n, 3)", 'the flow of an IPv6 address, "" for others'],
        ['uaddr_ipv6_scope_id', "__syscall_address_part($n, 4)", 'the scope of an IPv6 address, "" for others']);
}

# [name, expression, text] of each variable of a call.
sub variables {
    my ($call) = @_;
    my (@list, %seen);
    my $add = sub {
        my ($name, $value, $text) = @_;
        push @list, [$name, $value, $text] unless $seen{$name}++;
    };
    for my $word (split ' ', $call->{also}) {
        if ($word =~ /^\@sockaddr:(\d)$/) {
            $add->(@$_) for sockaddr_variables($1);
        } elsif ($word =~ /^(\w+)=(.+)$/) {
            $add->($1, form($2, $call));
        } else {
            die "$table: $call->{name}: '$word' is no variable\n";
        }
    }
    my $n = 0;
    for my $argument (@{$call->{arguments}}) {
        my ($name, $kind) = @$argument;
        my ($class, $text) = @{$kinds{$kind}}{qw(class text)};
        $n++;
        if ($class eq 'number' || $class eq 'symbol') {
            $add->($name, "__syscall_number($n)", $text);
            $add->("${name}_str", "__syscall_text($n)", "$name as a string") if $class eq 'symbol';
        } elsif ($class eq 'string') {
            $add->($name, "__syscall_text($n)", $text);
            $add->("${name}_unquoted", "__syscall_plain($n)", "$name without quotes");
            $add->("${name}_uaddr", "__syscall_number($n)", "address of $name");
        } elsif ($class eq 'memory') {
            $add->("${name}_uaddr", "__syscall_number($n)", $text =~ /^address/ ? $text : "address of $text");
            $add->("${name}_str", "__syscall_text($n)", 'the data as a string');
        } elsif ($class eq 'pointer') {
            $add->("${name}_uaddr", "__syscall_number($n)", $text);
        }
    }
    return @list;
}

# Variables of an alias: those of its calls, the first that has one says how.
sub alias_variables {
    my ($alias) = @_;
    my (@list, %seen);
    # Where the calls differ, the one with the most arguments is the one to ask: the others have 0 there.
    for my $call (sort { @{$b->{arguments}} <=> @{$a->{arguments}} } @{$aliases{$alias}}) {
        push @list, grep { !$seen{$_->[0]}++ } variables($call);
    }
    return @list;
}

sub calls_text {
    my ($alias) = @_;
    my %seen;
    return join(' and ', grep { !$seen{$_}++ } map { $_->{name} } @{$aliases{$alias}});
}

sub alias_text {
    my ($alias) = @_;
    my @variables = alias_variables($alias);
    my $calls = calls_text($alias);
    # The call that it carries has an alias of its own.
    my $only = $carriers{$alias} ? "\tif (__syscall_carries())\n\t\tnext\n" : '';
    my $out = "/**\n * syscall.$alias - system call $calls, at its entry\n *\n";
    $out .= " * \@name: its name\n * \@argstr: its arguments as a string\n";
    $out .= " * \@$_->[0]: $_->[2]\n" for @variables;
    $out .= " */\nprobe syscall.$alias = " . "kernel.syscall(\"$alias\")" . "\n{\n$only";
    $out .= "\tname = __syscall_name()\n\targstr = __syscall_arguments()\n";
    $out .= "\t$_->[0] = $_->[1]\n" for @variables;
    $out .= "}\n\n/**\n * syscall.$alias.return - system call $calls, at its return\n *\n";
    $out .= " * \@name: its name\n * \@argstr: its arguments as a string, including results that it stored\n";
    $out .= " * \@retval: its return value, negative for an error\n * \@retstr: its return value as a string, as in \"-2 (ENOENT)\"\n";
    $out .= " *\n * The variables of syscall.$alias can be used here too.\n" if @variables;
    $out .= " */\nprobe syscall.$alias.return = " . "kernel.syscall(\"$alias\").return" . "\n{\n$only";
    $out .= "\tname = __syscall_name()\n\targstr = __syscall_arguments()\n";
    $out .= "\tretval = __syscall_result()\n\tretstr = __syscall_result_text()\n";
    $out .= "\t$_->[0] = $_->[1]\n" for @variables;
    $out .= "}\n\n";
    for my $prefix (qw(nd dw tp)) {
        $out .= "probe ${prefix}_syscall.$alias$_ = syscall.$alias$_ { }\n" for '', '.return';
    }
    return "$out\n";
}

# The manual: an entry per alias; what a variable is follows from the kind of its argument.
sub print_manual {
    require Mdoc;
    print Mdoc::head('KTAP-SYSCALLS', 5, 'ktap-syscalls', 'variables of the probes on system calls'), <<'END';
.Sh DESCRIPTION
Each probe
.Li syscall.\& Ns Ar name
and
.Li syscall.\& Ns Ar name Ns Li .return
of
.Xr ktap 1
has the variables
.Li name
and
.Li argstr ,
at the return also
.Li retval
and
.Li retstr .
The variables listed here are the arguments of the call.
.Pp
A variable
.Ar x
may also have the forms
.Ar x Ns Li _str ,
its value as a string,
.Ar x Ns Li _unquoted ,
a string without quotes, and
.Ar x Ns Li _uaddr ,
its address in the program.
.Sh SYSTEM CALLS
.Bl -tag -width Ds
END
    for my $alias (sort keys %aliases) {
        my $calls = calls_text($alias);
        print ".It Li syscall.$alias\n";
        print "The calls\n.Li $calls .\n" if $calls ne $alias && $calls =~ / /;
        my @variables = alias_variables($alias);
        print "No arguments.\n" unless @variables;
        print ".Bl -tag -width Ds -compact\n" if @variables;
        print ".It Va $_->[0]\n", Mdoc::text($_->[2]) for @variables;
        print ".El\n" if @variables;
    }
    print ".El\n.Sh SEE ALSO\n.Xr ktap 1 ,\n.Xr ktap-functions 5 ,\n.Xr ktap-language 5 ,\n.Xr ktap-probes 5\n";
}

read_table();
if ($folder eq '--man') {
    print_manual();
    exit 0;
}
my %files;
$files{substr($_, 0, 1)} .= alias_text($_) for sort keys %aliases;
# A call that is in no table: syscall.stp has it.
for my $prefix (qw(nd dw tp)) {
    $files{n} .= "probe ${prefix}_syscall.ni_syscall$_ = syscall.ni_syscall$_ { }\n" for '', '.return';
}
mkdir $folder;
for my $letter (keys %files) {
    my $path = "$folder/syscalls-$letter.stp";
    open(my $out, '>', "$path.tmp") or die "$path: $!\n";
    print $out "# System calls whose names begin with $letter. Made by syscalls.pl.\n\n", $files{$letter};
    close($out) or die "$path: $!\n";
    rename("$path.tmp", $path) or die "$path: $!\n";
}
