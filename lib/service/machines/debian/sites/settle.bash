# Begins to clean up after a job that died without a last line: what it left is removed, or finished. Values: the job's id, the number of the
# last line that was seen. Prints `running` or `ended`.
source sites/job-files.bash
source sites/job-run.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
job_home=$jobs_home/${values[0]}
lock_jobs
# What never arrived must not start later, when its end has been told.
if [[ ! -e $job_home/events ]]; then
  words='The server never received this job. Nothing was changed.' code=''
  # Its files were in memory: start.bash.
  if [[ -L $job_home ]]; then
    rm -f -- "$job_home"
    words='The server went down during the deletion. Some of the site may be deleted already: delete it again.' code=half_done
  fi
  install -d -m 700 "$job_home"
  printf '%(%s)T\t\t0\tfailed\t%s\t%s\t%s\n' -1 "$words" "$words" "$code" >"$job_home/events"
  sync "$job_home/events" "$job_home"
  echo ended
  exit
fi
! is_at_work "${values[0]}" || { echo running; exit; }

count_lines() { wc -l <"$job_home/events"; }

# fill_lost COUNT: until there are as many lines as were seen.
fill_lost() {
  while (($(count_lines) < $1)); do
    printf '%(%s)T\t\t0\trunning\t%s\t\n' -1 '(This line was lost when the server went down.)' >>"$job_home/events"
  done
}

if has_ended; then
  # It was taken back meanwhile, and its last line may have the number of a line that was seen and lost.
  if [[ -e $job_home/unfollowed ]] && (($(count_lines) <= values[1])); then
    end=$(tail -n 1 "$job_home/events")
    fill_lost "${values[1]}"
    printf '%s\n' "$end" >>"$job_home/events"
    sync "$job_home/events"
  fi
  echo ended
  exit
fi
fill_lost "${values[1]}"
take_back_job
echo running
