# Makes a backup of the site. No values.
source host/python.bash
source host/whole.bash
source sites/backup-files.bash
source sites/make-backup.bash
source sites/run.bash
source sites/site.bash

job_backup() {
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_python || take 8 'Python' install_python
  stoppable=yes take 10 'Backup' make_site_backup manual
  pass_return
  end_backup
}

end_backup() {
  progress=100
  end 'done' "A backup of $domain is made and verified."
}

# A backup that is complete stays, also if the job was killed before it could say it.
undo_backup() {
  [[ ! -e $job_home/backup || ! -f $backups_home/$(<"$job_home/backup") ]] || end_backup
  take_back sweep_backup
}
