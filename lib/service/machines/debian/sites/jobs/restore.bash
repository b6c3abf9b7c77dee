# Restores a backup of the site. wanted: its name. backup_first: whether to back up the present site first. taken: names that other sites of the account
# have. copy_target, snapshot, sha256: where the backup is brought back from first, if it is in a copy outside of the server. The rest: what orders of certificates need. The answer is the folder of the former files.
source host/fetch-copy.bash
source host/python.bash
source host/whole.bash
source sites/as-before.bash
source sites/backup-files.bash
source sites/certificate.bash
source sites/check-data.bash
source sites/make-backup.bash
source sites/manifest.bash
source sites/pause.bash
source sites/restore.bash
source sites/run.bash
source sites/settings.bash
source sites/site.bash
source sites/staging/copying.bash
source sites/staging/transfer.bash
source sites/swap-database.bash
source sites/take-steps-back.bash
source sites/web.bash

job_restore() {
  local copy_target='' snapshot='' sha256='' wanted backup_first taken directory roots contact expected refused archive_manifest='' former_names='' restoring replacing replaced called
  read_values "$@"
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  name_restore
  has_python || take 1 'Python' install_python
  if [[ -n $copy_target ]]; then
    has_restic || take 1 'restic' install_restic
    stoppable=yes take 2 'Fetch the copy' fetch_copy
  fi
  stoppable=yes take 3 'Check the backup' check_restore
  if [[ $backup_first == yes ]]; then
    stoppable=yes take 15 'Backup of the present site' make_site_backup restore
    take 38 'Check the server' restore_part room
  fi
  stoppable=yes take 40 'Unpack' unpack_backup
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  called=$(former_name)
  stoppable=yes take 60 'Load the database' restore_part load
  if [[ -n $called && $called != "$name" ]]; then stoppable=yes take 80 'Configuration' adapt_configuration; fi
  take 82 'Check' check_loaded
  pass_return
  if is_created_again; then php_before_exchange; fi
  take 85 'Replace the site' replace_site
  # What is served now is what the next steps write again.
  name_site "$site_id" "$name" "$domain" "$aliases"
  take 88 'Check' check_front
  keep_replaced
  restore_settings
  end_restore
}

end_restore() {
  local left='' password=''
  [[ ! -e $job_home/hash ]] || password=' The password of its database is the one of the backup again.'
  take_back tidy_restore
  progress=100
  end 'done' "$domain is restored.$password The former site is kept for 24 hours.${left:+ $untidy}$(said_as_before)" '' "$replaced"$'\t'"$(added_aliases)"
}

undo_restore() {
  local restoring replacing replaced
  name_restore
  rm -f -- "$(fetched_part)"
  is_ours || return 0
  stop_unit "$transfer_unit"
  if [[ -e $job_home/restored ]]; then
    # A change of the virtual host or of email that was not ended.
    restore_kept_web
    restore_former_email
    end_restore
  fi
  take_folder_back
  take_back take_steps_back "The former files are in the folder $replacing, and the former tables may be in the database $(kept_database)."
  take_back end_pause 'The site may still answer 503.'
  [[ ! -e $job_home/former ]] || take_back restore_php
  # What was loaded beside the site is needed as long as its tables are not back, also those of an earlier restore.
  [[ -n $left || ! -e $job_home/unpacked-bytes ]] || take_back drop_beside
  [[ -n $left ]] || take_back sweep_backup
}
