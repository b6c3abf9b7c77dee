# Starts a job, unless it was started before: it waits for its turn itself. Values: the job's id, its kind, and what it is asked to do. Prints `started` or
# `known`. Exit code 73: an installation is running, or too many jobs wait.
source changes/room.bash
source host/job-file.bash
source host/package.bash
source sites/dead-jobs.bash
source sites/job-files.bash
source sites/job-run.bash
source unit-is-running.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
id=${values[0]} job_home=$jobs_home/${values[0]}
max_jobs=20

next_number() {
  local last
  last=$(cat "$jobs_home"/*/number 2>/dev/null | sort -n | tail -n 1) || true
  echo $((${last:-0} + 1))
}

lock_jobs
if [[ -e $job_home/events ]]; then
  echo known
  exit
fi
! unit_is_running gatehouse-install.service || exit 73
find "$jobs_home" -mindepth 1 -maxdepth 1 \( -type d -o -xtype l \) -mtime +7 -exec rm -rf {} +
# A deletion makes room, so on a full disk its own files are in memory. A boot loses them: settle.bash.
in_memory=''
if [[ ${package_home:?} == "$programs_in_memory"/* ]] || ! has_room /var/lib/gatehouse 2>/dev/null; then
  [[ ${values[1]} == delete ]] || exit 28
  in_memory=$jobs_in_memory/$id
fi
# Others wait for these: they died while Gatehouse could not reach the server.
take_back_dead
((count < max_jobs)) || exit 73
job_home=$jobs_home/$id
# Without the event file, which comes last, a job was never started.
rm -rf "$job_home"
if [[ -n $in_memory ]]; then
  rm -rf "$in_memory"
  install -d -m 700 "${jobs_in_memory%/*}" "$jobs_in_memory" "$in_memory"
  ln -s "$in_memory" "$job_home"
fi
install -d -m 700 "$job_home/"
content_job "sites/${values[1]}" "$job_home/events" >"$job_home/job.bash"
printf '%s\0' "${values[@]:1}" >"$job_home/values"
# What is needed to take it back stays; passwords do not.
printf '%s\0' "${values[@]:1:5}" >"$job_home/site"
next_number >"$job_home/number"
# On a full disk, what takes it back has the room, and some of it asks for 256 KB first.
if ! { head -c 65536 /dev/zero >"$job_home/reserve" && head -c 524288 /dev/zero >"$job_home/room" && sync "$job_home"/*; }; then
  rm -rf "$job_home" "$in_memory"
  exit 28
fi
: >"$job_home/events"
sync "$job_home"
run_job
echo started
