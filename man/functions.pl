#!/usr/bin/perl
# Makes ktap-functions(5) of the library's doc comments: functions.pl TAPSET-FILE... > ktap-functions.5
#
# The form of a doc comment is described at the top of tapset/context.stp. A public function or alias without one, one
# that names other parameters than the declaration, or an unknown heading, is an error: the page is complete.
use strict;
use warnings;
use File::Basename ();
use lib File::Basename::dirname(__FILE__);
use Mdoc;

my $failed = 0;
my %HEADING = map { $_ => 1 } qw(Returns Context Errors Example);

sub complain {
    print STDERR "$_[0]: $_[1]\n";
    $failed = 1;
}

# A doc comment as {name, summary, params => [[name, text]], text, Returns, Context, ...}.
sub parse_doc {
    my ($where, $comment) = @_;
    my %doc = (params => [], text => '', name => '', summary => '');
    my $into;
    for my $line (split /\n/, $comment) {
        $line =~ s/^\s*\*? ?//;
        if ($doc{name} eq '') {
            next if $line !~ /\S/;
            complain($where, "no 'NAME - summary': $line") unless $line =~ /^(\S+) - (.+)$/;
            ($doc{name}, $doc{summary}) = ($1, $2) if defined $2;
            $doc{name} = '?' if $doc{name} eq '';
            $into = \$doc{summary};
        } elsif ($line =~ /^\@(\w+): *(.*)$/) {
            push @{$doc{params}}, [$1, $2];
            $into = \$doc{params}[-1][1];
        } elsif ($line =~ /^(\w+): *(.*)$/ && $HEADING{$1}) {
            $doc{$1} = $2;
            $into = \$doc{$1};
        } elsif ($line =~ /^\s+\S/ && $into) {
            $line =~ s/^\s+//;
            $$into .= " $line";
        } else {
            undef $into;
            $doc{text} .= "$line\n";
        }
    }
    return \%doc;
}

# ["name", "type" or ""] of each parameter in a declaration's parentheses.
sub parameters {
    return map { /^\s*(\w+)\s*(?::\s*(\w+))?\s*$/ ? [$1, defined $2 ? $2 : ''] : () } split /,/, $_[0];
}

# Entries of one file: {kind, name, type, params, doc}, in its order, and the title of the file.
sub read_file {
    my ($path) = @_;
    open(my $in, '<', $path) or die "$path: $!\n";
    local $/;
    my $text = <$in>;
    my ($title) = $text =~ /\A#\s*(.*)/;
    my (@entries, $doc);
    while ($text =~ m{\G(?:.*?\n)??(?:(/\*\*\n.*?\*/)|((?:private\s+)?function\s+(\w+)\s*(?::\s*(\w+))?\s*\(([^)]*)\)(?:\s*:\s*(\w+))?)
            |(probe\s+([\w.]+)\s*\+?=))}gcsx) {
        my ($comment, $function, $name, $type, $params, $alias) = ($1, $2, $3, $4, $5, $8);
        if (defined $comment) {
            $comment =~ s{^/\*\*|\*/$}{}g;
            $doc = parse_doc($path, $comment);
            next;
        }
        my $was = $doc;
        undef $doc;
        $name = $alias if defined $alias;
        next if $name =~ /^_/ || (defined $function && $function =~ /^private/) || $name =~ /^__/;
        my @p = defined $alias ? () : parameters($params);
        if ($was) {
            complain($path, "the comment of $name describes '$was->{name}'") if $was->{name} ne $name;
            my @said = map { $_->[0] } @{$was->{params}};
            complain($path, "the comment of $name describes the parameters '@said'")
                if !defined $alias && @said && "@said" ne join(' ', map { $_->[0] } @p) && !overloaded($text, $name);
        } elsif (!grep { $_->{name} eq $name } @entries) {
            complain($path, "$name has no doc comment");
        }
        push @entries, { alias => defined $alias, name => $name, type => $type, params => \@p, doc => $was };
    }
    return ($title, @entries);
}

sub overloaded {
    my ($text, $name) = @_;
    my $count = () = $text =~ /^function\s+\Q$name\E\b/mg;
    return $count > 1;
}

sub heading {
    my ($e) = @_;
    return ".It Li $e->{name}\n" if $e->{alias};
    my $args = join(' ', map { $_->[1] ne '' ? "\"$_->[0]:$_->[1]\"" : $_->[0] } @{$e->{params}});
    return ".It Fn $e->{name}" . ($args ne '' ? " $args" : '') . (defined $e->{type} ? " Ns :$e->{type}" : '') . "\n";
}

# What the comment says, without the heading.
sub entry {
    my ($e) = @_;
    my $doc = $e->{doc} or return '';
    my $out = Mdoc::text(ucfirst("$doc->{summary}."));
    if (@{$doc->{params}}) {
        $out .= ".Bl -tag -width Ds -compact\n";
        $out .= ".It Fa $_->[0]\n" . Mdoc::text($_->[1]) for @{$doc->{params}};
        $out .= ".El\n";
    }
    $out .= ".Pp\n" . Mdoc::text($doc->{text}) if $doc->{text} =~ /\S/;
    for my $heading (qw(Returns Context Errors)) {
        $out .= ".Pp\n" . Mdoc::text("$heading: $doc->{$heading}.") if defined $doc->{$heading};
    }
    if (defined $doc->{Example}) {
        (my $example = $doc->{Example}) =~ s/\\/\\e/g;
        $example =~ s/"/\\(dq/g;
        $out .= ".Pp\n.Dl $example\n";
    }
    return $out;
}

my $page = Mdoc::head('KTAP-FUNCTIONS', 5, 'ktap-functions', 'the library of functions and aliases of ktap');
$page .= <<'END';
.Sh DESCRIPTION
Scripts of
.Xr ktap 1
may use these functions and probe aliases without saying so: what a script
names is taken from the library.
A function of the same name in the script comes first.
Types follow the colon; a function without one returns nothing.
.Sh FUNCTIONS
END
my $count = 0;
for my $path (sort @ARGV) {
    my ($title, @entries) = read_file($path);
    next unless @entries;
    complain($path, 'the first line is not a comment that says the subject') unless defined $title;
    my $name = File::Basename::basename($path, '.stp');
    $page .= '.Ss ' . ucfirst($name) . "\n" . Mdoc::text(defined $title ? $title : '') . ".Bl -tag -width Ds\n";
    while (my $e = shift @entries) {
        # Overloads share the description of the first.
        my @same = ($e);
        push @same, shift @entries while @entries && $entries[0]{name} eq $e->{name} && !$entries[0]{doc};
        $page .= join('', map { heading($_) } @same) . entry($e);
        $count += @same;
    }
    $page .= ".El\n";
}
complain('tapset', 'no functions found') unless $count;
exit 1 if $failed;
print $page, ".Sh SEE ALSO\n.Xr ktap 1 ,\n.Xr ktap-language 5 ,\n.Xr ktap-probes 5 ,\n.Xr ktap-errors 7\n";
