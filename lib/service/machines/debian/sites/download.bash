# An archive of the live site to be downloaded: laid out like a backup, but compressed by what every computer can read. Its name is the id of the job.
source sites/backup-files.bash

download_file() { echo "$downloads_home/${job_home##*/}"; }
