# The files of the jobs of sites, one folder per job. values: what the job was asked to do; deleted once it is read. site: its kind and its site.
# number: its place among the others, turns.bash.
source sites/job-unit.bash
source unit-is-running.bash

# Where the files of a job are if the disk is full. A longer path would need a block of ext4 for the link to it.
jobs_in_memory=/run/gatehouse/jobs

lock_jobs() {
  install -d -m 700 /var/lib/gatehouse "$jobs_home"
  exec 9>"$jobs_home/lock"
  flock -w 20 9
}

is_at_work() { unit_is_running "$(unit_of "$1")"; }
