# The host program: typed Python, root's only, in a folder per version. It is put here when a job needs it, by the install and by an upgrade.
source host/whole.bash

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
