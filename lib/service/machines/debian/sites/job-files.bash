# The files of the jobs of sites, one folder per job. values: what the job was asked to do; deleted once it is read. site: its kind and its site.
# number: its place among the others, turns.bash.
source unit-is-running.bash

jobs_home=/var/lib/gatehouse/site-jobs
# Where the files of a job are if the disk is full. A longer path would need a block of ext4 for the link to it.
jobs_in_memory=/run/gatehouse/jobs
# Earlier versions ran all jobs, one at a time, in this unit, and noted in the file `current` which one.
former_unit=gatehouse-site-job.service

lock_jobs() {
  install -d -m 700 /var/lib/gatehouse "$jobs_home"
  exec 9>"$jobs_home/lock"
  flock -w 20 9
}

# unit_of ID: the unit in which the job runs, if it does.
unit_of() {
  if [[ $(cat "$jobs_home/current" 2>/dev/null) == "$1" ]] && unit_is_running "$former_unit"; then
    echo "$former_unit"
  else
    echo "gatehouse-site-job-$1.service"
  fi
}

is_at_work() { unit_is_running "$(unit_of "$1")"; }

# run_job [died]: the job whose folder is job_home, in a separate unit, which outlives the connection and takes as long as it needs.
run_job() {
  local unit
  : "${job_home:?}"
  unit=gatehouse-site-job-${job_home##*/}.service
  systemctl reset-failed "$unit" 2>/dev/null || true
  systemd-run --quiet --collect --unit="$unit" --description='Gatehouse works on a site' \
    -p Type=exec -p RuntimeMaxSec=12h -p KillMode=mixed -p TimeoutStopSec=20 -p "StandardOutput=append:$job_home/log" -p "StandardError=append:$job_home/log" \
    --setenv=HOME=/root --setenv=LC_ALL=C.UTF-8 --setenv="PATH=$PATH" /bin/bash "$job_home/job.bash" "$job_home" "$@" 9>&-
}

# Not while it runs. It may have died within a line.
has_ended() {
  [[ ! -s $job_home/events || -z $(tail -c 1 "$job_home/events") ]] || echo >>"$job_home/events"
  case $(tail -n 1 "$job_home/events" | cut -f 4) in done | failed) return 0 ;; *) return 1 ;; esac
}

# take_back_job: of one that died without a last line. While the server shuts down, no unit starts.
take_back_job() { run_job died || [[ $(systemctl is-system-running) == stopping ]]; }
