# Restores a backup of the site. Values: its name, and whether to back up the present site first. The answer is the folder of the former files.
job_restore() {
  local wanted=$1 backup_first=$2 archive_manifest='' restoring replacing replaced called
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  name_restore
  take 2 'Check the backup' check_restore
  if [[ $backup_first == yes ]]; then
    take 15 'Backup of the present site' make_site_backup restore
    take 38 'Check the server' require_restore_room
  fi
  take 40 'Unpack' unpack_backup
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  called=$(former_name)
  take 60 'Load the database' load_backup
  if [[ -n $called && $called != "$name" ]]; then take 80 'Configuration' adapt_configuration; fi
  take 82 'Check' check_loaded
  take 85 'Replace the site' replace_site
  take 94 'Check' check_front
  keep_replaced
  end_restore
}

end_restore() {
  local left='' password=''
  [[ ! -e $job_home/hash ]] || password=' The password of its database is the one of the backup again.'
  take_back tidy_restore
  progress=100
  end 'done' "$domain is restored.$password The former site is kept for 24 hours.${left:+ $untidy}" '' "$replaced"
}

undo_restore() {
  local restoring replacing replaced to_name=$name
  name_restore
  is_ours || return 0
  stop_unit "$transfer_unit"
  [[ ! -e $job_home/restored ]] || end_restore
  take_back replace_files_back "The former files are in the folder $replacing."
  take_back put_database_back "The former tables may be in the database $(kept_database)."
  [[ ! -e $job_home/hash ]] || take_back restore_login 'Set the password of its database again.'
  take_back end_pause 'The site may still answer 503.'
  # What was loaded beside the site is needed as long as its tables are not back, also those of an earlier restore.
  [[ -n $left || ! -e $job_home/unpacked-bytes ]] || take_back drop_beside
  [[ -n $left ]] || take_back sweep_backup
}
