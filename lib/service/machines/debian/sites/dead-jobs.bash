# Jobs of sites that died without a last line: which are still taken back, and that.
source sites/job-files.bash
source sites/job-run.bash

# Whether a job has not ended. What was done since one died would be lost with it, so after a day everything stays as it is. seen_until: the moment from
# which that day is counted back.
is_open() { (($(stat -c %Y "$job_home/events") > ${seen_until:-$(date +%s)} - 86400)) && ! has_ended; }

# The folders of all jobs, in the order in which they came. Earlier versions gave no numbers.
list_jobs() {
  local each number
  for each in "$jobs_home"/*/events; do
    [[ -e $each ]] || continue
    number=$(cat "${each%/events}/number" 2>/dev/null) || true
    printf '%d %s\n' "${number:-0}" "${each%/events}"
  done | sort -n | cut -d ' ' -f 2-
}

# Whether any died that take_back_dead would take back.
has_dead() {
  local job_home
  while IFS= read -r job_home; do
    is_at_work "${job_home##*/}" || ! is_open || return 0
  done < <(list_jobs)
  return 1
}

# Takes back those that died. Sets count: how many jobs run or wait then.
take_back_dead() {
  local folders
  count=0
  mapfile -t folders < <(list_jobs)
  for job_home in "${folders[@]}"; do
    if is_at_work "${job_home##*/}"; then
      ((++count))
    elif is_open; then
      [[ -e $job_home/number ]] || echo 0 >"$job_home/number"
      # Whoever followed it may have seen lines that the disk has not kept: settle.bash.
      : >"$job_home/unfollowed"
      take_back_job
      ((++count))
    fi
  done
}
