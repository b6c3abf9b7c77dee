# The manifest: who manages each part of this server, which files Gatehouse edited, and which it owns.
#   # gatehouse 2
#   # part mail kept Exim is the mail server here; Postfix is not installed.
#   # edited /etc/ufw/user.rules HASH
#   HASH  /etc/apache2/conf-available/gatehouse.conf
# A part is `kept` as it was found, or `absent` until it is installed, `begun` until it is set up, and `ours` from then on.
source steps/files.bash

manifest=/etc/gatehouse/manifest
parts=(web database mail firewall updates backups)

hash_of() { [[ ! -f $1 ]] || sha256sum -- "$1" | cut -d' ' -f1; }

manifest_lines() { [[ ! -f $manifest ]] || cat "$manifest"; }

listed_hash_of() { manifest_lines | awk -v path="$1" '$1 != "#" && $2 == path { print $1 }'; }
edited_hash_of() { manifest_lines | awk -v path="$1" '$1 == "#" && $2 == "edited" && $3 == path { print $4 }'; }

part_line() { [[ ! -f $manifest ]] || sed -n "s/^# part $1 //p" "$manifest"; }
part_state() {
  local state
  read -r state _ < <(part_line "$1") || true
  echo "$state"
}
kept_reason() { part_line "$1" | sed -n 's/^kept //p'; }

# Merges the existing lines with the given ones; the later of two lines about the same thing wins.
merge_manifest() {
  echo '# gatehouse 2'
  { manifest_lines; printf '%s\n' "$@"; } |
    awk '/^# gatehouse / || NF == 0 { next } { line[$1 == "#" ? $2 " " $3 : $2] = $0 } END { for (key in line) print line[key] }' | sort -k 2
}

record() { write_whole "$manifest" 644 merge_manifest "$@"; }

# Records the hashes of edited files, so that later changes by others can be detected.
record_edited() {
  local path lines=()
  for path; do
    [[ ! -f $path ]] || lines+=("# edited $path $(hash_of "$path")")
  done
  record "${lines[@]}"
}

# Older releases recorded no hash of the files that they edited.
is_changed_since() { [[ -n $(edited_hash_of "$1") && $(edited_hash_of "$1") != "$(hash_of "$1")" ]]; }
is_unchanged_since() { [[ $(edited_hash_of "$1") == "$(hash_of "$1")" ]]; }
