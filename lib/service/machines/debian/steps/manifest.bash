# The manifest: whose each part of this server is, which files we edited, and which files are ours.
#   # gatehouse 2
#   # part mail kept Exim is the mail server here; Postfix is not installed.
#   # edited /etc/ufw/user.rules HASH
#   HASH  /etc/apache2/conf-available/gatehouse.conf
# A part is `kept` as it was found, or `absent` until we install it, `begun` until it is set up, and `ours` from then on.
manifest=/etc/gatehouse/manifest
parts=(web database mail firewall updates backups)

hash_of() { [[ ! -f $1 ]] || sha256sum -- "$1" | cut -d' ' -f1; }

manifest_lines() { [[ ! -f $manifest ]] || cat "$manifest"; }

listed_hash_of() { manifest_lines | awk -v path="$1" '$1 != "#" && $2 == path { print $1 }'; }
edited_hash_of() { manifest_lines | awk -v path="$1" '$1 == "#" && $2 == "edited" && $3 == path { print $4 }'; }

part_line() { manifest_lines | sed -n "s/^# part $1 //p"; }
part_state() { part_line "$1" | cut -d' ' -f1; }
kept_reason() { part_line "$1" | sed -n 's/^kept //p'; }

# The lines there are and those given; of two about the same, the later one stands.
merge_manifest() {
  echo '# gatehouse 2'
  { manifest_lines; printf '%s\n' "$@"; } |
    awk '/^# gatehouse / || NF == 0 { next } { line[$1 == "#" ? $2 " " $3 : $2] = $0 } END { for (key in line) print line[key] }' | sort -k 2
}

record() { write_whole "$manifest" 644 merge_manifest "$@"; }

# The files as we leave them: one that differs later was changed by somebody else.
record_edited() {
  local path lines=()
  for path; do
    [[ ! -f $path ]] || lines+=("# edited $path $(hash_of "$path")")
  done
  record "${lines[@]}"
}

# Of a file that an older release edited, nothing is known.
is_changed_since() { [[ -n $(edited_hash_of "$1") && $(edited_hash_of "$1") != "$(hash_of "$1")" ]]; }
is_unchanged_since() { [[ $(edited_hash_of "$1") == "$(hash_of "$1")" ]]; }
