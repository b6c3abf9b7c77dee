# Starts a job, unless it was started before. Values: the job's id, the job's text, and what it is asked to do. Prints `started` or
# `known`. Exit code 73: another job or an installation is running, or a job that died is taken back.
set -euo pipefail
umask 077
mapfile -d '' -t values
id=${values[0]} job_home=$jobs_home/${values[0]}
lock_jobs
if [[ -e $job_home/events ]]; then
  echo known
  exit
fi
! unit_is_running "$job_unit" && ! unit_is_running gatehouse-install.service || exit 73
find "$jobs_home" -mindepth 1 -maxdepth 1 -type d -mtime +7 -exec rm -rf {} +
require_room /var/lib/gatehouse
# One that died while Gatehouse could not reach the server comes first. What was done since then would be lost with it, so after a day
# everything stays as it is.
job_home=$jobs_home/$(cat "$jobs_home/current" 2>/dev/null || true)
if [[ -e $job_home/events && -n $(find "$job_home/events" -mtime -1) ]] && ! has_ended; then
  take_back_job
  exit 73
fi
job_home=$jobs_home/$id
# Without the event file, which comes last, a job was never started.
rm -rf "$job_home"
install -d -m 700 "$job_home"
printf '%s' "${values[1]}" >"$job_home/job.bash"
printf '%s\0' "${values[@]:2}" >"$job_home/values"
head -c 65536 /dev/zero >"$job_home/reserve"
head -c 262144 /dev/zero >"$job_home/room"
sync "$job_home"/*
note_current
: >"$job_home/events"
sync "$job_home"
run_job
echo started
