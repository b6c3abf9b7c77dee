# What an upgrade replaces is kept first. $part: `server`, or the name of the site that is at work. A step that fails takes its part back; what
# a finished step has kept stays in kept/ until the next upgrade that changes the same part, or until it is taken back.
source sites/refuse.bash
source sites/site.bash
source sites/vhost.bash
source steps/manifest.bash
source steps/undo.bash

upgrade_home=/var/lib/gatehouse/upgrade
stage=now
undo_folder() { echo "$upgrade_home/$stage/$part"; }

# keep_for_undo PATH: before a file is replaced, removed or made. Only the first time counts.
keep_for_undo() {
  if is_noted file "$1" || is_noted absent "$1"; then return 0; fi
  if [[ -e $1 || -L $1 ]]; then
    copy_once "$(undo_folder)/files" "$1"
    note_undo file "$1"
  else
    note_undo absent "$1"
  fi
}

# replace PATH MODE CONTENT-FUNCTION: nothing if the file has this content already.
replace() {
  ! cmp -s "$1" <("$3" 2>/dev/null) || return 0
  keep_for_undo "$1"
  "$3" | write_file "$1" "$2"
  echo "Replaced: $1"
}

# The newest change is taken back first.
put_kept_back() {
  local kind what copies
  copies=$(undo_folder)/files
  while read -r kind what; do
    if [[ $kind == absent ]]; then
      rm -f -- "$what"
    elif [[ $what == "${vhost-}" ]]; then
      put_vhost "$copies$what"
    else
      restore "$what"
    fi
    echo "Put back: $what"
  done < <(tac "$(undo_folder)/list" 2>/dev/null)
}

# A run that was killed has left the part half done. Its files are whole, so the part also stays as it is if a site was worked on since: what
# that work has written would be lost.
was_killed() { [[ -e $(undo_folder) ]]; }
may_put_back() { [[ ! /var/lib/gatehouse/site-jobs/current -nt $(undo_folder) ]]; }

forget_kept() { rm -rf -- "$(undo_folder)"; }

finish_part() {
  if [[ -e $(undo_folder)/list ]]; then
    marks_of_kept >"$(undo_folder)/after"
    sync "$(undo_folder)/after"
    install -d -m 700 "$upgrade_home/kept"
    rm -rf -- "$upgrade_home/kept/$part"
    mv -T -- "$(undo_folder)" "$upgrade_home/kept/$part"
  fi
  forget_kept
}

mark_of() {
  local hash
  hash=$(hash_of "$1")
  echo "${hash:-absent} $2"
}

# Each kept path with the hash of what is there now.
marks_of_kept() {
  local what
  while read -r _ what; do mark_of "$what" "$what"; done <"$(undo_folder)/list"
}

# After an upgrade: work on the site or somebody at the server may have changed what it has written. What is as it was before it was put back by
# a run that died.
require_unchanged() {
  local kind what changed='' folder
  folder=$(undo_folder)
  while read -r kind what; do
    grep -qxF -- "$(mark_of "$what" "$what")" "$folder/after" && continue
    [[ $kind != absent || -e $what ]] || continue
    [[ $kind != file || $(mark_of "$what" "$what") != "$(mark_of "$folder/files$what" "$what")" ]] || continue
    changed+="${changed:+, }$what"
  done <"$folder/list"
  [[ -z $changed ]] || refuse "It was changed since, so it stays as it is: $changed."
}
