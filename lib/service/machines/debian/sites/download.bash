# An archive of the live site to be downloaded: laid out like a backup, but compressed by what every computer can read. Its name is the id of the job.
source host/program.bash
source sites/backup-files.bash
source sites/make-backup.bash

download_file() { echo "$downloads_home/${job_home##*/}"; }

make_download() {
  local folder
  umask 077
  install -d -m 700 "$backups_home" "$downloads_home"
  unless_changing expire_backups
  require_host_program
  require_archive_room 'an archive' 'Free some space, then try again.'
  folder=$(backup_work)
  rm -rf -- "$folder"
  install -d -m 700 "$folder"
  gather_site "$folder/site" download
  write_site_archive "$folder" gz
  expand_as gz <"$folder/archive" | tar -tf - >/dev/null
  sync "$folder/archive"
  mv -T -- "$folder/archive" "$(download_file)"
  rm -rf -- "$folder"
  # Also while Gatehouse is off. Somebody who is reading it then reads on.
  systemd-run --quiet --collect --on-active=16min rm -f -- "$(download_file)"
}
