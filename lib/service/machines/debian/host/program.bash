# The package: the host program in typed Python and the bash of jobs, root's only, in a folder per version. It is put here when a job needs it.
source host/package.bash
source host/whole.bash

# put_program VERSION <PACKAGE: a tar.gz.
put_program() {
  local folder=$programs_home/$1 new
  if is_program_whole "$folder"; then
    cat >/dev/null
    return
  fi
  install -d -m 755 "$programs_home"
  find "$programs_home" -maxdepth 1 -name '.new.*' -mmin +60 -exec rm -rf {} +
  new=$(mktemp -d "$programs_home/.new.XXXXXXXXXX")
  tar -xzf - --no-same-owner -C "$new"
  # Where there is no Python yet, each run takes a moment longer, until the next version.
  if has_python; then "$python" -I -S -m compileall -q --invalidation-mode unchecked-hash -s "$new" -p "$folder" "$new"; fi
  chmod -R u=rwX,go=rX "$new"
  sync -f "$new"
  rm -rf -- "$folder"
  mv -T -- "$new" "$folder"
  # A job that begins now is taken back by it after a power cut.
  sync -f "$folder"
  is_program_whole "$folder" || { rm -rf -- "$folder"; echo 'Gatehouse’s program could not be written.' >&2; return 1; }
  remove_other_programs "$1"
}

# remove_other_programs VERSION: those that neither a job names nor the nightly backup, also one that an upgrade has kept to put it back, and that have begun
# nothing within an hour.
remove_other_programs() {
  local each backup=/usr/local/sbin/gatehouse-backup
  for each in "$programs_home"/*/; do
    each=${each%/} each=${each##*/}
    [[ $each =~ ^[0-9a-f]{16}$ && $each != "$1" && -z $(find "${programs_home:?}/$each" -maxdepth 0 -mmin -60) ]] || continue
    grep -qsF -- "$each" {,/var/lib/gatehouse/upgrade/{now,kept}/server/files}"$backup" /var/lib/gatehouse/{site-jobs/*,install}/job.bash || rm -rf -- "${programs_home:?}/$each"
  done
}

remove_programs() {
  find "$programs_home" -mindepth 1 -maxdepth 1 -type d -regextype posix-extended -regex '.*/([0-9a-f]{16}|\.new\..*)' -exec rm -rf {} + 2>/dev/null || true
  rmdir "$programs_home" 2>/dev/null || true
  rm -rf -- "$programs_in_memory"
}
