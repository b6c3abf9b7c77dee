# exchange ONE OTHER: two paths of one file system change places at one moment. mv can do this only from Debian 13 on.
exchange() {
  perl -MConfig -e '
    my ($one, $other) = @ARGV;
    my %numbers = (x86_64 => 316, aarch64 => 276, riscv64 => 276, powerpc64le => 357, s390x => 347, arm => 382, i386 => 353, i686 => 353);
    my ($kind) = $Config{archname} =~ /^([^-]+)/;
    my $number = $numbers{$kind} or die "This processor ($kind) is not known.\n";
    my ($here, $swap) = (-100, 2);
    syscall($number, $here, $one, $here, $other, $swap) == 0 or die "The folders could not change places: $!\n";' -- "$1" "$2"
}
