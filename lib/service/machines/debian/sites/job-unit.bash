# Where the jobs of sites have their folders, and in which unit each runs.
source unit-is-running.bash

jobs_home=/var/lib/gatehouse/site-jobs
# Earlier versions ran all jobs, one at a time, in this unit, and noted in the file `current` which one.
former_unit=gatehouse-site-job.service

# unit_of ID: the unit in which the job runs, if it does.
unit_of() {
  if [[ $(cat "$jobs_home/current" 2>/dev/null) == "$1" ]] && unit_is_running "$former_unit"; then
    echo "$former_unit"
  else
    echo "gatehouse-site-job-$1.service"
  fi
}
