# How a job of a site runs, and whether it has ended.

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
