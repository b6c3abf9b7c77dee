# Deletes the files of a job that has ended. Value: the job's id.
set -euo pipefail
mapfile -d '' -t values
lock_jobs
[[ $(cat "$jobs_home/current" 2>/dev/null) == "${values[0]}" ]] && unit_is_running "$job_unit" || rm -rf "${jobs_home:?}/${values[0]}"
