# What changed on live since the pull, which a push keeps. The pull notes beside the record of the copy what it has copied: of each file its
# size and time, of each link its target, and the folders. A list of files is such text: what is known, NUL, the path below `public`, NUL.
# from_name: the copy; to_name: live.
source sites/site.bash
source sites/staging/copying.bash
source sites/staging/part.bash

files_note() { echo "$sites_home/$copy_name/files.gz"; }

# The app's own configuration of the target stays: that of known apps, and whatever named the site when the copy was made.
own_files() {
  local root=${served_folder:+/$served_folder}
  printf '%s\n' /wp-config.php '/conf/local*' ${root:+"$root/wp-config.php" "$root/conf/local*"}
  cat "$sites_home/$copy_name/own-files" 2>/dev/null || true
}

# looking COMMAND...: as root, in a world of nothing but the homes of the two sites: programs of a site may put links in the way.
looking() {
  systemd-run --quiet --pipe --wait --collect -p RuntimeMaxSec="${looking_seconds:-3h}" -p PrivateDevices=yes -p PrivateNetwork=yes -p ProtectSystem=strict \
    -p ProtectProc=invisible -p NoNewPrivileges=yes -p CapabilityBoundingSet=CAP_DAC_READ_SEARCH -p TemporaryFileSystem='/home:ro /var:ro' \
    -p BindReadOnlyPaths="/home/$from_name /home/$to_name" \
    -p InaccessiblePaths='-/etc -/root -/srv -/opt -/mnt -/media -/boot -/tmp -/run/mysqld -/run/gatehouse-sites -/run/gatehouse-load -/run/dbus' "$@"
}

# list_files FOLDER LIST: also the folder, with an empty path, and `end`. A list that is not whole would look like one of deleted files.
list_files() {
  looking /bin/sh -c 'LC_ALL=C find "$1" -xdev -path "$1/wp-content/cache" -prune -o -type f -printf "f %s %T@\0%P\0" -o -type d -printf "d\0%P\0" \
    -o -type l -printf "l %l\0%P\0"; printf "end\0/\0"' sh "$1" >"$2" 2>"$2.said" || true
  # Files may go away meanwhile.
  if grep -v ': No such file or directory$' "$2.said" || [[ $(tail -c 6 "$2" | tr '\0' ,) != end,/, ]]; then
    echo "The files in $1 cannot be listed."
    return 1
  fi
}

# compare_files WORK SINCE: the lists WORK.base (missing if the pull, which was at SINCE, has noted nothing), WORK.live and WORK.staged.
# WORK.equal: paths of files that were found to be the same. Writes what has to be copied from live (WORK.keep), removed from the staged files
# before (WORK.remove, WORK.folders), said (WORK.named) and noted (WORK.next), and which files only their content tells apart (WORK.unclear).
compare_files() {
  local own=()
  mapfile -t own < <(own_files)
  perl -e '
    use strict; use warnings;
    my ($work, $since, @own) = @ARGV;
    my $own = join "|", map { s{^/}{}r =~ s{(\*)|(\?)|(.)}{$1 ? "[^/]*" : $2 ? "[^/]" : quotemeta $3}gesr } @own;
    sub read_list {
      my %found;
      open my $in, "<", "$work.$_[0]" or return undef;
      local $/ = "\0";
      while (defined(my $known = <$in>)) {
        defined(my $path = <$in>) or die "The list $_[0] is not whole.\n";
        chomp($known, $path);
        $found{$path} = $known unless $path =~ m{^(?:$own)(?:/|\z)}s;
      }
      delete $found{""} or $_[0] eq "base" or die "The list $_[0] is not whole.\n";
      delete $found{"/"};
      return \%found;
    }
    # An archive keeps whole seconds only.
    sub same {
      my ($one, $other) = @_;
      return !defined $one && !defined $other unless defined $one && defined $other;
      return 1 if $one eq $other;
      my @one = $one =~ /^f (\d+) (-?\d+)\.(\d+)$/ or return 0;
      my @other = $other =~ /^f (\d+) (-?\d+)\.(\d+)$/ or return 0;
      return $one[0] == $other[0] && $one[1] == $other[1] && !($one[2] =~ /[1-9]/ && $other[2] =~ /[1-9]/);
    }
    sub is_newer { $_[0] =~ /^f \d+ (-?\d+)\./ && $1 >= $since }
    my ($base, $live, $staged) = map { read_list($_) } qw(base live staged);
    my $next = { %$staged };
    my (%equal, %out);
    if (open my $in, "<", "$work.equal") { local $/ = "\0"; while (<$in>) { chomp; $equal{$_} = 1 } }
    my $add = sub { my $list = shift; $out{$list} .= join "", map { "./$_\0" } @_ };
    for my $path (sort keys %{{ %$live, %$staged }}) {
      my ($then, $now, $here) = ($base && $base->{$path}, $live->{$path}, $staged->{$path});
      next if $equal{$path} || same($now, $here);
      my $kind;
      if ($base) {
        next if same($now, $then);
        $kind = same($here, $then) ? "kept" : "both";
        if (!defined $now) { next if $kind eq "both"; $kind = "deleted" }
      } else {
        next unless defined $now && (!defined $here || is_newer($now));
        $kind = defined $here && is_newer($here) ? "both" : "kept";
      }
      my $shown = $path =~ s/[\x00-\x1f\x7f]/?/gr;
      $out{named} .= "$kind\t$shown\n" unless ($now // $here) eq "d";
      $out{unclear} .= "$path\0" if ($now // "") =~ /^f (\d+) / && ($here // "") =~ /^f $1 /;
      if ($kind eq "deleted") { $add->($here eq "d" ? "folders" : "remove", $path) }
      else {
        $add->("keep", $path);
        # Also what is in the way of its folder.
        my @at = split m{/}, $path;
        for my $length (1 .. @at) {
          my $part = join "/", @at[0 .. $length - 1];
          $add->("remove", $part) if defined $staged->{$part} && ($length == @at || $staged->{$part} ne "d");
        }
      }
      if ($base) { if (defined $then) { $next->{$path} = $then } else { delete $next->{$path} } }
    }
    $out{folders} = join "", map { "$_\0" } reverse split /\0/, $out{folders} // "";
    $out{next} = join "", map { "$next->{$_}\0$_\0" } sort keys %$next;
    for (qw(keep remove folders named next unclear)) {
      open my $file, ">", "$work.$_" or die "$work.$_: $!\n";
      print $file $out{$_} // "";
      close $file or die "$work.$_: $!\n";
    }' -- "$1" "$2" "${own[@]}"
}

# find_equal FOLDER FOLDER SECONDS <PATHS: those of files whose content is the same, as far as the time suffices.
find_equal() {
  looking /usr/bin/perl -e '
    use strict; use warnings; use Fcntl;
    my ($one, $other, $seconds) = @ARGV;
    my $until = time + $seconds;
    my $open = sub { my $file; sysopen($file, $_[0], O_RDONLY | O_NOFOLLOW | O_NONBLOCK) && -f $file ? $file : undef };
    $/ = "\0";
    while (time < $until && defined(my $path = <STDIN>)) {
      chomp $path;
      my ($first, $second) = ($open->("$one/$path"), $open->("$other/$path"));
      next unless $first && $second;
      my ($here, $there, $left);
      do {
        $left = sysread $first, $here, 1048576;
        sysread $second, $there, 1048576;
      } while ($left && $here eq $there && time < $until);
      print "$path\0" if defined $left && $left == 0 && $here eq $there;
    }' -- "$@"
}

# find_live_changes WORK FOLDER SECONDS: what changed on live since the pull, FOLDER having the files of the copy. May be called in a condition.
find_live_changes() {
  local since
  since=$(date +%s -d "$(cat "$sites_home/$copy_name/pulled" 2>/dev/null)" 2>/dev/null) || since=0
  rm -f -- "$1.base" "$1.equal"
  [[ ! -e $(files_note) ]] || gzip -dc "$(files_note)" >"$1.base" || return
  list_files "$2" "$1.staged" && list_files "/home/$to_name/public" "$1.live" && compare_files "$1" "$since" || return
  [[ -s $1.unclear ]] || return 0
  find_equal "/home/$to_name/public" "$2" "$3" <"$1.unclear" >"$1.equal" && compare_files "$1" "$since"
}

# names_of KIND NAMED: the first of them, for a message.
names_of() {
  local count
  count=$(grep -c "^$1"$'\t' "$2") || return 0
  grep "^$1"$'\t' "$2" | head -n 5 | cut -f 2 | cut -c 1-80 | paste -sd '|' | sed 's/|/, /g' | tr -d '\n'
  ((count <= 5)) || printf ' and %d more' $((count - 5))
}

say_live_changes() {
  local each named=${job_home:?}/files.named
  local -A words=([kept]='Changed on live since the pull, and kept' [both]='Changed on both sides, and kept as live has it')
  words[deleted]='Deleted on live since the pull, and not copied back'
  [[ -e $job_home/files.base ]] ||
    echo 'The pull was made by an earlier version of Gatehouse, which noted no files. What only live has, and what was written there since the pull, is kept.'
  for each in kept both deleted; do
    ! grep "^$each"$'\t' "$named" >/dev/null || echo "${words[$each]}: $(names_of "$each" "$named")."
  done
}

# keep_live_changes FOLDER: brings them to the staged files, as hard links: a program that is writing a file continues to write the same one.
keep_live_changes() {
  find_live_changes "${job_home:?}/files" "$1" 30
  if [[ ${replace:?} == yes ]]; then
    cp "$job_home/files.staged" "$job_home/files.next"
    [[ -s $job_home/files.named ]] || return 0
    sed 's/^[a-z]*/all/' "$job_home/files.named" >"$job_home/files.all"
    echo "Changed on live since the pull, and replaced: $(names_of all "$job_home/files.all"). The backup has them."
    return
  fi
  (cd "$1" && xargs -0r rm -rf -- <"$job_home/files.remove")
  # What staging has put into them stays.
  (cd "$1" && xargs -0rn 1 rmdir -- <"$job_home/files.folders" 2>/dev/null) || true
  [[ ! -s $job_home/files.keep ]] || transfer_part keep
  say_live_changes
}

# bring_late LIST: what was written since that list in the folder that is no longer served.
bring_late() {
  local folder count
  folder=$(staged_folder)
  list_files "$folder" "$job_home/files.after"
  perl -e '
    use strict; use warnings;
    $/ = "\0";
    my %found;
    for my $at (0, 1) {
      open my $in, "<", $ARGV[$at] or die "$ARGV[$at]: $!\n";
      while (defined(my $known = <$in>)) {
        my $path = <$in>;
        if ($at == 0) { $found{$path} = $known } elsif (($found{$path} // "") ne $known) { print "./$path" }
      }
    }' -- "$1" "$job_home/files.after" >"$job_home/files.late"
  [[ -s $job_home/files.late ]] || return 0
  transfer_part late
  count=$(tr -dc '\0' <"$job_home/files.late" | wc -c)
  echo "Written meanwhile, and kept: $count files."
}

bring_late_files() { bring_late "$job_home/files.live"; }

# publish_files_note: what the next push compares with.
publish_files_note() { gzip -1 <"$job_home/files.next" | write_file "$(files_note)" 600; }

# What the last line of a push adds.
live_changes_kept() {
  local count
  [[ $replace == no && -s $job_home/files.named ]] || return 0
  count=$(wc -l <"$job_home/files.named")
  echo ", except for $count $( ((count == 1)) && echo file || echo files) that changed on live since the pull"
}
