# SPDX-License-Identifier: GPL-2.0-or-later
# Reads what a test file expects of its own run: the `//! key: value` comments.
#
# parse(PATH) returns a hash:
#   options args run_options   words given to ktap, to the script, to ktaprun
#   stdout                     reference to the expected lines, undef: not checked
#   match stderr_match         regular expressions, each must match a line
#   no_match                   regular expressions that must match no line of stdout
#   kernel_log                 regular expressions: complaints of the kernel that the test asks for
#   diags                      [{kind error|warning, line N or undef, tag}]
#   refused                    what the second vehicle says of a test of run-user that it refuses
#   not_bpf                    why a test of run-user says nothing about the second vehicle
#   process_only               why a test of run-user says nothing about the VM
#   kernels                    run on these kernels only ("6.1")
#   also_on                    run on these too, on which tests are not run unasked ("rt", see Vm::extra)
#   exit command timeout env stdin
#   needs_config               options of the kernel's configuration without which a debug kernel skips the test (Vm::lacks)
#   needs                      files of the build folder, with wildcards, without which a test in the VM is skipped
#   bad                        texts: directives that this reader refuses
package Directives;
use strict;
use warnings;
use Text::ParseWords ();

# key => how its value is stored
my %KEYS = (
    'options'        => 'words',
    'args'           => 'words',
    'run-options'    => 'words',
    'kernels'        => 'words',
    'also-on'        => 'words',
    'env'            => 'words',
    'needs'          => 'words',
    'needs-config'   => 'words',
    'stdout'         => 'lines',
    'match'          => 'regex',
    'no-match'       => 'regex',
    'stderr-match'   => 'regex',
    'no-stderr-match' => 'regex',
    'error'          => 'diag',
    'warning'        => 'diag',
    'error-anywhere' => 'diag',
    'warning-anywhere' => 'diag',
    'kernel-log'     => 'regex',
    'no-stdout'      => 'flag',
    'exit'           => 'number',
    'timeout'        => 'number',
    'command'        => 'text',
    'stdin'          => 'text',
    'process-only'   => 'text',
    'refused'        => 'text',
    'not-bpf'        => 'text',
);

sub keys_known { return sort keys %KEYS }

sub parse {
    my ($path) = @_;
    open(my $in, '<:raw', $path) or die "$path: $!\n";
    my %t = (bad => [], diags => []);
    my $number = 0;
    while (my $line = <$in>) {
        $number++;
        $line =~ s/\r?\n\z//;
        next unless $line =~ m{//!(.*)\z};
        add(\%t, $number, $1);
    }
    return \%t;
}

# One directive. Several may stand on one line, each with its own //! .
sub add {
    my ($t, $number, $text) = @_;
    if ($text =~ m{\A(.*?)\s*//!(.*)\z} && $text !~ /\A\s*(?:stdout|match|command)/) {
        add($t, $number, $1);
        return add($t, $number, $2);
    }
    unless ($text =~ /\A\s*([a-z-]+)(?:@(\+?)(\d+))?:(?: (.*)|)\z/s) {
        push @{$t->{bad}}, "line $number: not a directive: //!$text";
        return;
    }
    my ($key, $relative, $at, $value) = ($1, $2, $3, defined $4 ? $4 : '');
    my $how = $KEYS{$key};
    if (!$how || (defined $at && $how ne 'diag')) {
        push @{$t->{bad}}, "line $number: unknown directive '$key'";
        return;
    }
    $number = $relative ? $number + $at : $at if defined $at;
    store($t, $key, $how, $value, $number);
}

sub store {
    my ($t, $key, $how, $value, $number) = @_;
    (my $name = $key) =~ tr/-/_/;
    if ($how eq 'words') {
        my @words = Text::ParseWords::shellwords($value);
        push @{$t->{bad}}, "line $number: unbalanced quotes" if $value =~ /\S/ && !@words;
        push @{$t->{$name}}, @words;
    } elsif ($how eq 'lines') {
        push @{$t->{$name}}, $value;
    } elsif ($how eq 'regex') {
        my $re = eval { qr/$value/ };
        push @{$t->{bad}}, "line $number: bad regular expression: $value" unless defined $re;
        push @{$t->{$name}}, $re if defined $re;
    } elsif ($how eq 'diag') {
        $value =~ s/\s+\z//;
        push @{$t->{bad}}, "line $number: '$value' is not a tag" unless $value =~ /\A[a-z0-9-]+\z/;
        (my $kind = $key) =~ s/-anywhere//;
        push @{$t->{diags}},
            { kind => $kind, line => $key =~ /anywhere/ ? undef : $number, tag => $value };
    } elsif ($how eq 'number') {
        push @{$t->{bad}}, "line $number: '$value' is not a number" unless $value =~ /\A\s*\d+\s*\z/;
        $t->{$name} = $value + 0;
    } elsif ($how eq 'flag') {
        $t->{stdout} ||= [];
    } else {
        $t->{$name} = $value;
    }
}

# Replaces $SRCDIR, $BUILDDIR, $DIR (the test's own folder) in words.
sub expand {
    my ($vars, @words) = @_;
    for my $word (@words) {
        $word =~ s/\$(SRCDIR|BUILDDIR|DIR)\b/$vars->{$1}/g;
    }
    return @words;
}

1;
