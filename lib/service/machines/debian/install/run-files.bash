# The files of this server's install runs. events: all lines of all runs. first: the number of lines before the newest run.
source unit-is-running.bash

install_home=/var/lib/gatehouse/install
install_unit=gatehouse-install.service

is_running() { unit_is_running "$install_unit"; }

line_count() { wc -l <"$install_home/events"; }
first_line() { cat "$install_home/first" 2>/dev/null || echo 0; }
last_field() { tail -n 1 "$install_home/events" | cut -f "$1"; }

# run_unit [recover]
run_unit() {
  systemctl reset-failed "$install_unit" 2>/dev/null || true
  systemd-run --quiet --collect --unit="$install_unit" --description='Gatehouse works on this server' \
    -p Type=exec -p KillMode=mixed -p TimeoutStopSec=20 -p "StandardOutput=append:$install_home/log" -p "StandardError=append:$install_home/log" \
    --setenv=HOME=/root --setenv=LC_ALL=C.UTF-8 --setenv="PATH=$PATH" /bin/bash "$install_home/job.bash" "$@" 9>&-
}

lock_runs() {
  install -d -m 700 /var/lib/gatehouse "$install_home"
  [[ -e $install_home/events ]] || : >"$install_home/events"
  exec 9>"$install_home/lock"
  flock -w 20 9
}

# settle KNOWN: appends the missing last line to a run that died. KNOWN is the number of lines that a client has already seen: if a
# power cut has lost some of them, placeholders take their place, so that no line number is used twice.
settle() {
  local events=$install_home/events step progress words
  [[ -e $install_home/first ]] || return 0
  [[ ! -s $events || -z $(tail -c 1 "$events") ]] || echo >>"$events"
  if (($(line_count) > $(first_line))); then
    case $(last_field 4) in done | failed) return 0 ;; esac
  fi
  rm -f "$install_home/reserve"
  step=$(last_field 2) progress=$(last_field 3)
  while (($(line_count) < $1)); do
    printf '%(%s)T\t%s\t%d\trunning\t%s\t\n' -1 "$step" "$progress" '(This line was lost when the server went down.)' >>"$events"
  done
  words="The server went down, or the work was killed, during the step “$step”. Start it again: it continues from there."
  printf '%(%s)T\t%s\t%d\tfailed\t%s\t%s\n' -1 "$step" "$progress" "$words" "$words" >>"$events"
  sync "$events"
}
