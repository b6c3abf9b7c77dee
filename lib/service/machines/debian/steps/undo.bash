# Saves what a step is about to change: a failed step restores it, and originals of others' files stay in /etc/gatehouse/before.
source steps/manifest.bash

before=/etc/gatehouse/before
undo_folder() { echo "/var/lib/gatehouse/install/undo/${part:?}"; }

# copy_once FOLDER PATH: keeps owner, mode and times; copies completely or not at all, and never over an earlier copy.
copy_once() {
  local copy=$1$2
  [[ ! -e $copy && ! -L $copy ]] || return 0
  install -d -m 700 "$1" "${copy%/*}"
  rm -rf "$copy.gatehouse-new"
  cp -a -- "$2" "$copy.gatehouse-new"
  sync -f "$copy.gatehouse-new"
  mv -T -- "$copy.gatehouse-new" "$copy"
}

# note_undo KIND WHAT: KIND is file, absent or unit.
note_undo() {
  local list
  list=$(undo_folder)/list
  install -d -m 700 "${list%/*}"
  echo "$1 $2" >>"$list"
  sync "$list"
}

is_noted() { grep -qxF -- "$1 $2" "$(undo_folder)/list" 2>/dev/null; }

# save_before PATH...: saves files or folders before their first change.
save_before() {
  local path
  for path in "$manifest" "$@"; do
    if is_noted file "$path" || is_noted absent "$path"; then continue; fi
    if [[ -e $path || -L $path ]]; then
      copy_once "$(undo_folder)/files" "$path"
      [[ ! -f $path || $path == "$manifest" || -n $(listed_hash_of "$path") ]] || copy_once "$before" "$path"
      note_undo file "$path"
    else
      note_undo absent "$path"
    fi
  done
}

restore() {
  local copy
  copy=$(undo_folder)/files$1
  if [[ -d $copy ]]; then
    rm -rf -- "$1"
    cp -a -- "$copy" "$1"
  else
    cp -a -- "$copy" "${1%/*}/.gatehouse-new"
    sync "${1%/*}/.gatehouse-new"
    mv -fT -- "${1%/*}/.gatehouse-new" "$1"
  fi
}

# Reverts the step's changes, newest first. unwind_STEP, if the step has one, restarts or reloads programs.
undo_step() {
  local kind what folder
  folder=$(undo_folder)
  while [[ -f $folder/list ]] && read -r kind what; do
    case $kind in
      file) restore "$what" ;;
      absent) rm -rf -- "$what" ;;
      unit) systemctl -q disable --now "$what" || true ;;
    esac
    [[ $what == "$manifest" ]] || echo "Put back: $what"
  done < <(tac "$folder/list" 2>/dev/null)
  if declare -F "unwind_$part" >/dev/null; then "unwind_$part"; fi
  rm -rf "$folder"
}
