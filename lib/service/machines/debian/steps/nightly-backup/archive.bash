# What goes into the archive, as tar is told. Of a folder that is a link, what it leads to as well, unless that goes in anyway.
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

# Reads what tar says: file systems that it leaves out, and files that it cannot read. The first twenty of each are named.
note_lacks() {
  local line path kind count=0 skipped=0
  while IFS= read -r line; do
    path=${line#tar: }
    if [[ $line == *': file is on a different filesystem; not dumped' ]]; then
      path=/${path%: file is on*}
      path=${path%/}
      kind=$(stat -f -c %T "$path" 2>/dev/null) || kind=
      # These hold no files of anybody's.
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

# 1: a file changed while it was read, which is no fault of the archive. 2: some could not be read, or no archive was made.
write_archive() {
  local said code=0 unread=0
  said=$(tar -C / -v --one-file-system --warning=no-file-changed --warning=no-file-ignored -czf "$1" "${parts[@]}" 2>&1 >/dev/null) || code=$?
  ((code <= 1)) || { [[ $said == *'due to previous errors' ]] && [[ $said != *'not recoverable'* ]]; } ||
    fail "The archive could not be written: $(first_error "$said")"
  note_lacks <<<"$said"
  ((code <= 1 || unread)) || fail "The archive may be incomplete: $(first_error "$said")"
}

# It unpacks to its end, and what must be in it is.
prove_archive() {
  local found lacking
  found=$({ tar --quoting-style=literal -tzf "$1" | { grep -xFf <(printf '%s\n' "${@:2}") || true; } | sort -u; } 2>&1) ||
    fail "The archive cannot be read back: $(first_error "$found")"
  lacking=$(comm -13 <(echo "$found") <(printf '%s\n' "${@:2}" | sort -u))
  [[ -z $lacking ]] || fail "The archive lacks ${lacking%%$'\n'*}."
}

# Puts the archive among the others, with its hash and with what it lacks. The archive itself comes last.
keep_archive() {
  local archive=$1 name
  name=backup-$(date -u +%Y-%m-%d-%H%M%S).tar.gz
  (cd "$work" && sha256sum "${archive##*/}" | sed "s/${archive##*/}$/$name/") >"$work/proven"
  # Of the same moment as its archive: one that was replaced or written to since is not the one that was proven.
  touch -r "$archive" "$work/proven"
  sync "$archive" "$work/proven"
  # There even when empty: nothing is missing, which is more than that nothing is known.
  printf '%s\n' "${lacks[@]}" >"$work/lacks"
  sync "$work/lacks"
  mv "$work/lacks" "$store/.$name.lacks"
  mv "$work/proven" "$store/.$name.proven"
  mv "$archive" "$store/$name"
  sync "$store"
}

# Proven, unchanged since, and without anything missing.
is_whole() {
  [[ -f $store/.$1.proven && $(stat -c %Y "$store/$1") == "$(stat -c %Y "$store/.$1.proven")" ]] &&
    ! grep -qs '^missing' "$store/.$1.lacks"
}

# Keeps the seven newest, and the newest whole one however old it is.
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
