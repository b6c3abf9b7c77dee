# Streams the lines of a job after a given one until the job ends. Values: the job's id, that line's number.
source sites/job-unit.bash

mapfile -d '' -t values
job_home=$jobs_home/${values[0]}
printf 'from\t%s\n' "${values[1]}"
[[ -e $job_home/events ]] || exit 0
pid=$(systemctl show --value -p MainPID "$(unit_of "${values[0]}")")
if [[ $pid == 0 ]]; then
  exec tail -n "+$((values[1] + 1))" "$job_home/events"
fi
exec tail -n "+$((values[1] + 1))" -f -s 0.05 --pid="$pid" "$job_home/events"
