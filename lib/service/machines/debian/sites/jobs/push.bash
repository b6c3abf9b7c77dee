# Replaces the live site, or parts of it, by its staging copy, copy_…. files, database: whether these. tables: in hexadecimal. replace: whether files
# that changed on live since the pull are replaced, too. A backup of live comes first, and without it nothing else; it stays, whatever comes of the rest.
source changes/room.bash
source host/python.bash
source host/whole.bash
source sites/certificate.bash
source sites/check-data.bash
source sites/check.bash
source sites/jobs/pull.bash
source sites/make-backup.bash
source sites/refuse.bash
source sites/run.bash
source sites/site.bash
source sites/staging/copy.bash
source sites/staging/copying.bash
source sites/staging/transfer.bash

job_push() {
  local copy_id copy_name copy_domain files database tables replace
  read_values "$@"
  local from_name=$copy_name to_name=$name from_names to_origin chosen=$job_home/tables
  is_ours || give_up 'The site no longer exists on the server.' changed_meanwhile
  on_copy is_ours || give_up 'The staging copy no longer exists on the server.' changed_meanwhile
  php=$(site_php)
  has_ssl && ssl=yes
  from_names=$(on_copy served_names | paste -sd ' ')
  note_copy
  take 2 'Check the server' check_push
  need_transfer_programs
  has_python || take 8 'Python' install_python
  stoppable=yes take 10 'Backup' make_site_backup push
  # The backup has taken room itself.
  take 38 'Check the server' check_transfer_room
  to_origin=$(head -n 1 "$sites_home/$copy_name/origin" 2>/dev/null) || true
  to_origin=${to_origin:-$(origin)}
  if [[ $files == yes ]]; then stoppable=yes take 40 'Files' stage_files; fi
  if [[ $database == yes ]]; then
    stoppable=yes take 55 'Database' stage_tables
    stoppable=yes take 68 'Addresses' rewrite_tables
    stoppable=yes take 80 'Database' note_tables
  fi
  if [[ $database == yes ]]; then stoppable=yes take 84 'Check' check_copied_tables; fi
  take 86 'Check' note_front
  pass_return
  take 88 'Exchange' swap_all
  if [[ $files == yes ]]; then take 92 'Files' transfer_part late; fi
  take 94 'Check' check_front
  settle_transfer
  end_push
}

check_push() {
  require_database
  [[ $files == no || -e $sites_home/$copy_name/own-files ]] || refuse 'No pull has copied the files yet, so there are none to push. Nothing was changed.'
  [[ $database == no || -n $tables ]] || refuse 'Name the tables to push. Nothing was changed.'
  [[ -x /usr/bin/php$php ]] || refuse "The command-line program of PHP $php is missing. Install php$php-cli, then try again; nothing was changed."
  [[ $database == no ]] || check_tables
  check_transfer_room
  require_room /etc /home /var/lib/gatehouse /var/lib/mysql
  put_staging_programs
}

# May be repeated.
finish_push() {
  [[ ! -e $job_home/notes ]] || publish_notes
  publish_files_note
  drop_staged
}

end_push() {
  local left=''
  take_back finish_push
  progress=100
  end 'done' "$domain is what its staging copy was$(live_changes_kept).${left:+ $untidy}" '' "$(cat "$job_home/backup" 2>/dev/null)"
}

# What the last line adds. Written by transfer.py.
live_changes_kept() {
  local count
  count=$(cat "$job_home/files.kept" 2>/dev/null) || true
  ((count)) || return 0
  echo ", except for $count $( ((count == 1)) && echo file || echo files) that changed on live since the pull"
}

undo_push() {
  local copy_id copy_name copy_domain from_name to_name files database replace chosen=$job_home/tables
  read_copy || return 0
  stop_unit "$transfer_unit"
  [[ ! -e $job_home/settled ]] || end_push
  sweep_backup
  undo_transfer
}
