# The paths to archive, as arguments of tar. For a folder that is a link, also its target unless that is archived anyway.
source steps/nightly-backup/status.bash

parts=()
find_parts() {
  local folder target
  for folder in etc var/spool/cron var/www srv home; do
    [[ -d /$folder ]] || continue
    parts+=("$folder")
    [[ -L /$folder ]] || continue
    target=$(readlink -f "/$folder")
    case $target/ in
      // | /etc/* | /var/spool/cron/* | /var/www/* | /srv/* | /home/*) ;;
      *) parts+=("${target#/}") ;;
    esac
  done
}

# Reads tar's messages: file systems that it skips, and files that it cannot read. Names the first twenty of each.
note_lacks() {
  local line path kind count=0 skipped=0
  while IFS= read -r line; do
    path=${line#tar: }
    if [[ $line == *': file is on a different filesystem; not dumped' ]]; then
      path=/${path%: file is on*}
      path=${path%/}
      kind=$(stat -f -c %T "$path" 2>/dev/null) || kind=
      # File systems of the kernel contain no user files.
      [[ ! $kind =~ ^(proc|sysfs|devpts|cgroup.*|debugfs|tracefs|securityfs)$ ]] || continue
      ((++skipped > 20)) || lacks+=("left_out"$'\t'"$path")
    elif [[ $line =~ ^tar:\ (.*):\ (Cannot\ [^:]*|Read\ error[^:]*):\ ([^:]*)$ ]]; then
      ((++count > 20)) || lack "/${BASH_REMATCH[1]#/}" "${BASH_REMATCH[2]}: ${BASH_REMATCH[3]}"
    fi
  done
  ((skipped <= 20)) || lacks+=("left_out"$'\t'"and $((skipped - 20)) more")
  ((count <= 20)) || lack 'Other files' "$((count - 20)) more cannot be read."
  unread=$count
}

# tar exits with 1 if a file changed while being read, which is harmless, and with 2 if files could not be read or the archive failed.
write_archive() {
  local said code=0 unread=0
  said=$(tar -C / -v --one-file-system --warning=no-file-changed --warning=no-file-ignored -czf "$1" "${parts[@]}" 2>&1 >/dev/null) || code=$?
  ((code <= 1)) || { [[ $said == *'due to previous errors' ]] && [[ $said != *'not recoverable'* ]]; } ||
    fail "The archive could not be written: $(first_error "$said")"
  note_lacks <<<"$said"
  ((code <= 1 || unread)) || fail "The archive may be incomplete: $(first_error "$said")"
}

# Checks that the archive unpacks to its end and contains the required files.
prove_archive() {
  local found lacking
  found=$({ tar --quoting-style=literal -tzf "$1" | { grep -xFf <(printf '%s\n' "${@:2}") || true; } | sort -u; } 2>&1) ||
    fail "The archive cannot be read back: $(first_error "$found")"
  lacking=$(comm -13 <(echo "$found") <(printf '%s\n' "${@:2}" | sort -u))
  [[ -z $lacking ]] || fail "The archive lacks ${lacking%%$'\n'*}."
}

# Moves the archive into the store, with its hash and the list of what it lacks. The archive itself comes last.
keep_archive() {
  local archive=$1 name
  name=backup-$(date -u +%Y-%m-%d-%H%M%S).tar.gz
  (cd "$work" && sha256sum "${archive##*/}" | sed "s/${archive##*/}$/$name/") >"$work/proven"
  # The same timestamp as the archive: one that is replaced or modified later no longer counts as verified.
  touch -r "$archive" "$work/proven"
  sync "$archive" "$work/proven"
  # Written even if empty: it says that nothing is missing, while no file means unknown.
  printf '%s\n' "${lacks[@]}" >"$work/lacks"
  sync "$work/lacks"
  mv "$work/lacks" "$store/.$name.lacks"
  mv "$work/proven" "$store/.$name.proven"
  mv "$archive" "$store/$name"
  sync "$store"
}

# Verified, unchanged since, and with nothing missing.
is_whole() {
  [[ -f $store/.$1.proven && $(stat -c %Y "$store/$1") == "$(stat -c %Y "$store/.$1.proven")" ]] &&
    ! grep -qs '^missing' "$store/.$1.lacks"
}

# Keeps the seven newest backups, and the newest complete one however old it is.
rotate() {
  local name count=0 whole=
  while IFS= read -r name; do
    ((++count))
    if [[ -z $whole ]] && is_whole "$name"; then
      whole=$name
    elif ((count > 7)); then
      rm -f -- "$store/$name"
    fi
  done < <(find "$store" -maxdepth 1 -name 'backup-*.tar.gz' -printf '%f\n' | sort -r)
  for name in "$store"/.backup-*.{proven,lacks}; do
    name=${name##*/.}
    [[ -e $store/${name%.*} ]] || rm -f -- "$store/.$name"
  done
}
