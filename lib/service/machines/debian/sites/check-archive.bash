# What a backup may hold: the parts of a backup, and files of the site in its folders public and private. An archive may come from anywhere.
source sites/backup-files.bash

most_entries=1000000

# check_archive EXTENSION <ARCHIVE: prints three lines, the bytes it unpacks to, the parts that are to be unpacked, and the names that are left out,
# by tabs; or why it is refused, and then fails. What its manifest says has been read before: read_manifest.
check_archive() {
  expand_as "$1" | tar --block-number --numeric-owner --full-time --quoting-style=c -tvf - | perl -e '
    use strict; use warnings;
    my ($home, $most, $format, $uid, $gid, $web, $former) = @ARGV;
    # Absolute links name the folder as it was called then.
    my $homes = join "|", map { quotemeta } grep { $_ } $home, $former && "/home/$former";
    my (%seen, %links, %plain, %parts, %left, $bytes, $count, $name, $begun);
    my $refuse = sub { print "The archive is refused: $_[0]\n"; exit 1 };
    my $clean = sub { my @at = split m{/}, $_[0], -1; !grep { $_ eq "" || $_ eq "." || $_ eq ".." } @at };
    my $inside = sub {
      my ($path, $to) = @_;
      my @at = split m{/}, $path;
      pop @at;
      if ($to =~ m{^/}) { return 0 unless $to =~ s{^(?:$homes)(?=/|$)}{}; @at = ("files") }
      for (split m{/}, $to) {
        next if $_ eq "" || $_ eq ".";
        if ($_ eq "..") { return 0 if @at < 2; pop @at } else { push @at, $_ }
      }
      return 1;
    };
    while (my $line = <STDIN>) {
      chomp $line;
      # What is stored counts: a file with holes has them again when it is unpacked.
      $line =~ s/^block (\d+): // or $refuse->("it cannot be listed.");
      $bytes += ($1 - $begun) * 512 + 4096 if defined $begun;
      $begun = $1;
      last if $line =~ /^\*\* /;
      $refuse->("it has too many files.") if ++$count > $most;
      my ($kind, $mode) = $line =~ /^(.)([rwxsStT-]{9})/ or $refuse->("it cannot be listed.");
      $refuse->("it has devices, pipes or others that are neither files, folders nor links.") unless $kind =~ /^[-dlh]$/;
      my ($owner, $group, $size, $rest) = $line =~ m{^\S+ (\d+)/(\d+) +(\d+) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? (.*)$} or $refuse->("it cannot be listed.");
      # Quotation marks within names are escaped.
      my ($path, $between, $to) = $rest =~ m{^"((?:[^"\\]|\\.)*)"(?:( -> | link to )"((?:[^"\\]|\\.)*)")?$} or $refuse->("it cannot be listed.");
      $refuse->("it cannot be listed.") if ($between // "") ne ($kind eq "l" ? " -> " : $kind eq "h" ? " link to " : "");
      $name = $path;
      $name =~ s{/$}{} if $kind eq "d";
      $refuse->("$name is no path inside of the site.") unless $clean->($name);
      # Archives of the first format have whatever was beside the two folders.
      if ($format == 1 && $name =~ m{^files/([^/]+)} && $1 ne "public" && $1 ne "private") { $left{$1} = 1; next }
      $refuse->("$path is a link to outside of the site.") if $kind eq "l" && !$inside->($path, $to);
      $refuse->("$path is not a file of the site.") if $kind eq "h" && !$plain{$to};
      if ($name =~ m{^(files/(?:public|private))(/|$)}) {
        $refuse->("$name is no folder.") if $2 eq "" && $kind ne "d";
        $parts{$1} = 1;
        $refuse->("$name belongs to neither the site nor root.") unless ($owner == 0 || $owner == $uid) && ($group == 0 || $group == $gid || $group == $web);
        $refuse->("$name would run as its owner.") if $kind ne "d" && $mode =~ /^..[sS]/;
      } else {
        my $known = $kind eq "-" ? qr{^(manifest|database\.sql|unreadable\.txt|virtual-host|php-fpm\.conf|served\.pem|addresses|dkim\.pem|crontab|sftp-keys|apache/[^/]+\.conf)$} : qr{^apache$};
        $refuse->("$name is no part of a backup.") unless $name =~ $known && $kind =~ /^[-d]$/;
        $parts{$name} = 1 unless $name =~ m{^apache/};
      }
      $refuse->("$name is in it twice.") if $seen{$name}++;
      my $above = $name;
      while ($above =~ s{/[^/]*$}{}) { $refuse->("$name is below a link.") if $links{$above} }
      $links{$name} = 1 if $kind eq "l";
      $plain{$name} = 1 if $kind eq "-" && $name =~ m{^files/};
    }
    print +($bytes || 0), "\n", join("\t", sort keys %parts), "\n", join("\t", sort keys %left), "\n";
  ' "$home" "$most_entries" "$(value_of format)" "$(value_of user)" "$(value_of group)" "$(value_of web)" "$(former_name)"
}

# former_name: how the site was called when the backup was made; nothing if the backup does not say.
former_name() { value_of name | grep -xE '[a-z][a-z0-9]{0,31}' || true; }

# Reads the manifest of a backup: `value_of KEY` says what is in it. Values are numbers and plain words.
read_manifest() { archive_manifest=$(expand_as "$2" <"$1" 2>/dev/null | tar -xOf - --occurrence=1 manifest 2>/dev/null | head -c 4096 | tr -cd '[:print:]\n') || true; }
value_of() { sed -n "s/^$1 //p" <<<"$archive_manifest" | head -n 1; }
aliases_in_manifest() { value_of aliases | grep -xE '[a-z0-9. -]+' || true; }
