# Deletes the site. with_backup: whether to make a last backup first. owner: the account that the site belongs to if its record does not say. A deletion that has begun is not taken back; it can be repeated.
source host/python.bash
source host/whole.bash
source sites/backup-files.bash
source sites/check.bash
source sites/database.bash
source sites/make-backup.bash
source sites/remove.bash
source sites/run.bash
source sites/site.bash

job_delete() {
  local with_backup owner
  read_values "$@"
  site_owner=${site_owner:-$owner}
  if is_ours; then
    take 2 'Check the server' check_delete
    # A deletion that is repeated has its backup already, if it was asked for one and that was not too long ago.
    if has_last_backup; then
      cp "$settings/removing" "$job_home/backup"
    elif [[ $with_backup == yes ]] && { [[ ! -e $settings/removing || -d $home ]] || has_database; }; then
      has_python || take 8 'Python' install_python
      stoppable=yes take 10 'Last backup' make_site_backup delete
    fi
    pass_return
    take 70 'Delete' remove_with_copy
  fi
  end_deletion
}

has_last_backup() {
  local made
  made=$(cat "$settings/removing" 2>/dev/null) || return 1
  [[ -n $made && -f $backups_home/${made##*/} ]]
}

undo_delete() {
  sweep_backup
  if ! is_ours; then
    end_deletion
  elif [[ -e $settings/removing ]]; then
    left='A part of it is deleted already: delete it again.'
  else
    remove_made_backup
    [[ ! -e $job_home/locked ]] || take_back unlock_database 'Its database may still be locked: delete it again.'
  fi
}

end_deletion() {
  progress=100
  end 'done' "$domain is deleted." '' "$(sed "s,^[^/],$backups_home/&," "$job_home/backup" 2>/dev/null)"
}
