# Writes an archive of the site to be downloaded, which the server deletes after a while. No values. The answer is its size in bytes.
source host/python.bash
source host/whole.bash
source sites/download.bash
source sites/make-backup.bash
source sites/run.bash
source sites/site.bash

job_download() {
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_python || take 3 'Python' install_python
  stoppable=yes take 5 'Archive' make_site_backup download
  pass_return
  end_download
}

end_download() {
  progress=100
  end 'done' "The archive of $domain is ready to be downloaded." '' "$(stat -c %s -- "$(download_file)")"
}

undo_download() {
  rm -f -- "$(download_file)"
  take_back sweep_backup
}
