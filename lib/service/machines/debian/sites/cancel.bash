# Cancels a job, which takes back what it has done: before its next step, or at once where what is at work may be killed. Value: the job's id. Prints
# `cancelled`, `ended`, or `late` if the job is past what can be taken back.
source sites/job-files.bash
source sites/job-run.bash
source unit-is-running.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
id=${values[0]} job_home=$jobs_home/${values[0]}
lock_jobs
[[ -e $job_home/events ]] || { echo ended; exit; }
unit=$(unit_of "$id")
if ! unit_is_running "$unit"; then
  ! has_ended || { echo ended; exit; }
elif [[ $unit == "$former_unit" ]]; then
  echo late
  exit
fi
# The job decides by the same link that it can no longer be cancelled.
ln -sT cancelled "$job_home/decided" 2>/dev/null || [[ $(readlink "$job_home/decided") == cancelled ]] || {
  : >"$job_home/asked-late"
  echo late
  exit
}
if [[ -e $job_home/stoppable ]]; then
  systemctl kill -s KILL "$unit" 2>/dev/null || true
  for _ in {1..100}; do unit_is_running "$unit" || break; sleep 0.1; done
fi
if ! unit_is_running "$unit" && ! has_ended; then take_back_job; fi
echo cancelled
