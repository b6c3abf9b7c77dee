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
  # Where there is no Python yet, it is compiled once that comes: compile_program.
  if has_python; then compile_in "$new" "$folder"; fi
  chmod -R u=rwX,go=rX "$new"
  sync -f "$new"
  rm -rf -- "$folder"
  mv -T -- "$new" "$folder"
  # A job that begins now is taken back by it after a power cut.
  sync -f "$folder"
  is_program_whole "$folder" || { rm -rf -- "$folder"; echo 'Gatehouse’s program could not be written.' >&2; return 1; }
  remove_other_programs "$1"
}

# compile_in FOLDER TO: to where it is moved afterwards.
compile_in() { "$python" -I -S -m compileall -q --invalidation-mode unchecked-hash -s "$1" -p "$2" "$1"; }

# compile_program: the one that was put here before Python came. Each start would take three times as long otherwise. In another folder first: what a full disk or
# a power cut has cut short would fail each later run. Where that fails, it runs as it is.
compile_program() {
  local folder new each
  folder=$(host_program)
  has_python && [[ ! -d $folder/gatehouse_host/__pycache__ ]] && is_program_whole "$folder" || return 0
  new=$(mktemp -d "$programs_home/.new.XXXXXXXXXX") || return 0
  if cp -R "$folder"/{gatehouse_host,__main__.py} "$new" && compile_in "$new" "$folder" && chmod -R u=rwX,go=rX "$new" && sync -f "$new"; then
    (cd "$new" && find . -name __pycache__) | while IFS= read -r each; do mv -T -- "$new/$each" "$folder/$each" || true; done
  fi
  rm -rf -- "$new"
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
