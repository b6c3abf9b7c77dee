# Deletes the files of a job that has ended. Value: the job's id.
source sites/job-files.bash

set -euo pipefail
mapfile -d '' -t values
lock_jobs
is_at_work "${values[0]}" || rm -rf "${jobs_home:?}/${values[0]}" "$jobs_in_memory/${values[0]:?}"
