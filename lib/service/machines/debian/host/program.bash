# The host program: typed Python, root's only, in a folder per version whose name is the hash of the list of its hashes. It is put here when a job needs
# it, by the install and by an upgrade. The function print_host_version is in texts.ts.
source sites/refuse.bash
source steps/apt.bash

programs_home=/usr/lib/gatehouse
python=/usr/bin/python3

host_program() { echo "$programs_home/$(print_host_version)"; }

has_python() { [[ -x $python ]]; }

# The install brings it. Servers that were installed with an earlier version get it when it is needed.
install_python() {
  update_lists
  apt_get install python3
}

# is_program_whole FOLDER
is_program_whole() {
  [[ $(sha256sum 2>/dev/null <"$1/SHA256SUMS") == "${1##*/}"* ]] && (cd "$1" && sha256sum --quiet --strict --check SHA256SUMS) &>/dev/null
}

# Before work begins that needs it.
require_host_program() {
  has_python || refuse 'Python is missing on this server. Run “apt-get install python3”, then try again. Nothing was changed.'
  is_program_whole "$(host_program)" ||
    refuse 'Gatehouse’s program for backups is missing on this server, or was changed. Try again; where backups are made every night, bring the server up to date. Nothing was changed.'
}

# run_host_program <REQUEST: one JSON object. It prints events, each a line of JSON, and fails if what was asked is not done.
run_host_program() {
  require_host_program
  "$python" -I -S -X utf8 "$(host_program)"
}

# put_program VERSION <PACKAGE: of each file a line, its path and its content in base64, by a tab.
put_program() {
  local folder=$programs_home/$1 new path text
  ! is_program_whole "$folder" || return 0
  install -d -m 755 "$programs_home"
  find "$programs_home" -maxdepth 1 -name '.new.*' -mmin +60 -exec rm -rf {} +
  new=$(mktemp -d "$programs_home/.new.XXXXXXXXXX")
  while IFS=$'\t' read -r path text; do
    install -d -m 755 "$new/$path"
    rmdir "$new/$path"
    base64 -d <<<"$text" >"$new/$path"
  done
  # Where there is no Python yet, its first run compiles it.
  if has_python; then "$python" -I -S -m compileall -q --invalidation-mode unchecked-hash -s "$new" -p "$folder" "$new"; fi
  chmod -R u=rwX,go=rX "$new"
  sync -f "$new"
  rm -rf -- "$folder"
  mv -T -- "$new" "$folder"
  is_program_whole "$folder" || { rm -rf -- "$folder"; echo 'Gatehouse’s program could not be written.' >&2; return 1; }
  remove_other_programs "$1"
}

# remove_other_programs VERSION: those that neither the nightly backup nor a job of the last days names.
remove_other_programs() {
  local each
  for each in "$programs_home"/*/; do
    each=${each%/} each=${each##*/}
    [[ $each =~ ^[0-9a-f]{16}$ && $each != "$1" ]] || continue
    grep -qsF -- "$each" /usr/local/sbin/gatehouse-backup /var/lib/gatehouse/site-jobs/*/job.bash || rm -rf -- "${programs_home:?}/$each"
  done
}

remove_programs() {
  find "$programs_home" -mindepth 1 -maxdepth 1 -type d -regextype posix-extended -regex '.*/([0-9a-f]{16}|\.new\..*)' -exec rm -rf {} + 2>/dev/null || true
  rmdir "$programs_home" 2>/dev/null || true
}
