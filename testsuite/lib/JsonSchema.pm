# SPDX-License-Identifier: GPL-2.0-or-later
# Validates values that JSON::PP decoded against a JSON Schema: the keywords that docs/ktap-output-1.schema.json uses, others die.
#
# A member that the schema does not name is a fault here, though the schema lets readers meet it: it is missing there.
package JsonSchema;
use strict;
use warnings;
use B ();
use JSON::PP ();

my %CHECKS = (
    'type' => \&check_type, 'const' => \&check_const, 'enum' => \&check_enum, 'pattern' => \&check_pattern,
    'minimum' => \&check_minimum, 'maximum' => \&check_maximum, 'items' => \&check_items, 'required' => \&check_required,
    'properties' => \&check_properties, 'oneOf' => \&check_one_of, '$ref' => \&check_ref,
    map { $_ => sub { return () } } '$schema', '$id', '$defs', 'title', 'description',
);

sub new {
    my ($class, $path) = @_;
    open(my $in, '<:raw', $path) or die "$path: $!\n";
    local $/;
    return bless({ root => decoder()->decode(scalar <$in>) }, $class);
}

# Integers that no number of Perl holds exactly become objects of Math::BigInt.
sub decoder { return JSON::PP->new->utf8->allow_bignum }

# The faults of a VALUE: "PATH: what".
sub faults {
    my ($self, $value) = @_;
    return $self->check($self->{root}, $value, '');
}

sub check {
    my ($self, $schema, $value, $path) = @_;
    my @faults;
    for my $keyword (sort keys %$schema) {
        my $check = $CHECKS{$keyword} or die "the schema has the keyword '$keyword', which JsonSchema.pm does not know\n";
        push @faults, $check->($self, $schema->{$keyword}, $value, $path);
    }
    return @faults;
}

sub type_of {
    my ($value) = @_;
    return 'null' unless defined $value;
    return 'array' if ref $value eq 'ARRAY';
    return 'object' if ref $value eq 'HASH';
    return 'boolean' if JSON::PP::is_bool($value);
    return 'integer' if ref $value eq 'Math::BigInt';
    return 'number' if ref $value;
    my $flags = B::svref_2object(\$value)->FLAGS;
    return 'string' if $flags & B::SVf_POK;
    return $flags & B::SVf_IOK ? 'integer' : 'number';
}

sub check_type {
    my ($self, $types, $value, $path) = @_;
    my $is = type_of($value);
    my @types = ref $types ? @$types : $types;
    return (grep { $_ eq $is } @types) ? () : "$path: is a $is, expected @types";
}

sub check_const {
    my ($self, $const, $value, $path) = @_;
    return check_enum($self, [$const], $value, $path);
}

sub check_enum {
    my ($self, $enum, $value, $path) = @_;
    my $is = type_of($value);
    return (grep { type_of($_) eq $is && "$_" eq "$value" } @$enum) ? () : "$path: is none of @$enum";
}

sub check_pattern {
    my ($self, $pattern, $value, $path) = @_;
    return $value =~ /$pattern/ ? () : "$path: '$value' does not match $pattern";
}

sub check_minimum {
    my ($self, $bound, $value, $path) = @_;
    return $value >= $bound ? () : "$path: $value is below $bound";
}

sub check_maximum {
    my ($self, $bound, $value, $path) = @_;
    return $value <= $bound ? () : "$path: $value is above $bound";
}

sub check_items {
    my ($self, $schema, $value, $path) = @_;
    return () unless ref $value eq 'ARRAY';
    return map { $self->check($schema, $value->[$_], "$path\[$_]") } 0 .. $#$value;
}

sub check_required {
    my ($self, $names, $value, $path) = @_;
    return () unless ref $value eq 'HASH';
    return map { exists $value->{$_} ? () : "$path: has no '$_'" } @$names;
}

sub check_properties {
    my ($self, $properties, $value, $path) = @_;
    return () unless ref $value eq 'HASH';
    return map { $properties->{$_} ? $self->check($properties->{$_}, $value->{$_}, "$path.$_") : "$path: '$_' is not in the schema" }
        sort keys %$value;
}

sub check_one_of {
    my ($self, $schemas, $value, $path) = @_;
    my @each = map { [$self->check($_, $value, $path)] } @$schemas;
    my @fits = grep { !@$_ } @each;
    return () if @fits == 1;
    return "$path: fits several of oneOf" if @fits;
    # The nearest one says most: that whose type fits.
    my ($nearest) = sort { @$a <=> @$b } grep { !grep { /\.type: / } @$_ } @each;
    return $nearest ? @$nearest : "$path: fits none of oneOf";
}

sub check_ref {
    my ($self, $ref, $value, $path) = @_;
    my ($name) = $ref =~ m{^#/\$defs/(\w+)$};
    die "the schema refers to $ref\n" unless $name && $self->{root}{'$defs'}{$name};
    return $self->check($self->{root}{'$defs'}{$name}, $value, $path);
}

1;
