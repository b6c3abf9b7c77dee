# Files of ours on the machine: put in place whole, listed with their hashes, never written over somebody's edit.
manifest=/etc/gatehouse/manifest

hash_of() { [[ ! -f $1 ]] || sha256sum -- "$1" | cut -d' ' -f1; }

listed_hash_of() { [[ ! -f $manifest ]] || awk -v path="$1" '$2 == path { print $1 }' "$manifest"; }

# Fixed names for the unfinished: what a power cut leaves behind is written over the next time.
list_file() {
  local new=/etc/gatehouse/.manifest-new
  install -d -m 755 /etc/gatehouse
  {
    echo '# gatehouse 1'
    [[ ! -f $manifest ]] || awk -v path="$1" '/^#/ { next } $2 != path' "$manifest"
    printf '%s  %s\n' "$2" "$1"
  } | { read -r title; echo "$title"; sort -k 2; } >"$new"
  sync "$new"
  mv -f "$new" "$manifest"
}

# put PATH MODE CONTENT-FUNCTION: a file that was edited by hand is left alone.
put() {
  local path=$1 new=${1%/*}/.gatehouse-new wanted now
  install -d -m 755 "${path%/*}"
  "$3" >"$new"
  chmod "$2" "$new"
  wanted=$(hash_of "$new") now=$(hash_of "$path")
  if [[ -n $now && $now != "$wanted" && $now != "$(listed_hash_of "$path")" ]]; then
    rm -f "$new"
    echo "$path was edited by hand and is left as it is."
    return
  fi
  if [[ $now == "$wanted" ]]; then
    rm -f "$new"
  else
    sync "$new"
    mv -f "$new" "$path"
  fi
  [[ $(listed_hash_of "$path") == "$wanted" ]] || list_file "$path" "$wanted"
}

# is_put PATH CONTENT-FUNCTION: it stands there as we want it, or as somebody else wants it.
is_put() {
  local wanted now listed
  wanted=$("$2" | sha256sum | cut -d' ' -f1) now=$(hash_of "$1") listed=$(listed_hash_of "$1")
  [[ -n $now ]] && { [[ $now == "$wanted" && $listed == "$wanted" ]] || [[ $now != "$wanted" && $now != "$listed" ]]; }
}

edited_files() {
  local hash path
  while read -r hash path; do
    [[ $hash == '#' || ! -e $path || $(hash_of "$path") == "$hash" ]] || echo "$path"
  done <"$manifest"
}

# A restart that is still owed outlives whatever interrupts us between the change and the restart.
owe_restart() { : >"/var/lib/gatehouse/install/owed-$1"; }
owes_restart() { [[ -e /var/lib/gatehouse/install/owed-$1 ]]; }
restart_paid() { rm -f "/var/lib/gatehouse/install/owed-$1"; }
