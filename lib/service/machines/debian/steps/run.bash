# Runs each step in turn and records each line of its output as an event. The last line is done or failed.
install_home=/var/lib/gatehouse/install
events=$install_home/events
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 APT_LISTCHANGES_FRONTEND=none UCF_FORCE_CONFFOLD=1
shopt -s lastpipe

# say STATUS MESSAGE [ERROR]: appends a line to the event file: time, step, progress, status, message, error. On a full disk it frees
# the reserve that was created at the start to make room for the last lines.
say() {
  local line message=${2//[[:cntrl:]]/ } error=${3:-}
  error=${error//[[:cntrl:]]/ }
  printf -v line '%(%s)T\t%s\t%d\t%s\t%s\t%s' -1 "$step" "$progress" "$1" "${message:0:500}" "${error:0:500}"
  echo "$line" >>"$events" && return
  rm -f "$install_home/reserve"
  echo "$line" >>"$events"
}

fail() {
  say failed "$1" "$1"
  sync "$events"
  exit 1
}

# Turns apt's progress into the step's: a quarter for the download, the rest for the installation.
advance() {
  local percent=${2%%.*} now
  [[ $percent =~ ^[0-9]{1,3}$ ]] || return 0
  [[ $1 == dlstatus ]] && percent=$((percent / 4)) || percent=$((25 + percent * 3 / 4))
  now=$((begin + share * percent / 100))
  ((now <= progress)) || progress=$now
}

# How well a line explains a failure: 3 the disk is full, 2 a specific cause, 1 a general complaint, 0 nothing.
# Apache prints the warnings AH00557 and AH00558 at every start.
weigh() {
  case $1 in
    *'No space left'* | *'enough free space'*) weight=3 ;;
    *AH0055[78]*) weight=0 ;;
    *AH0[0-9][0-9][0-9][0-9]:* | *'Address already in use'* | *'Syntax error'* | *'[ERROR]'* | *'[emerg]'* | *': fatal:'*) weight=2 ;;
    E:* | ERROR* | error* | 'dpkg: error'* | Failed* | fatal*) weight=1 ;;
    *) weight=0 ;;
  esac
}

# Relays a step's output and keeps the first of the best explanations of a failure: later lines are often only consequences.
relay() {
  local line rest weight most=0
  last='' complaint=''
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line%$'\r'} line=${line##*$'\r'}
    case $line in
      *[![:space:]]*) ;;
      *) continue ;;
    esac
    case $line in
      dlstatus:* | pmstatus:*) rest=${line#*:*:} && advance "${line%%:*}" "${rest%%:*}" ;;
      *)
        weigh "$line"
        # The next line explains "Syntax error on line 3 of FILE:".
        if [[ -n $complaint && $complaint == "$last" && $complaint == *: ]]; then complaint+=" $line"; fi
        if ((weight > most)); then most=$weight complaint=${line#"${line%%[![:space:]]*}"}; fi
        last=$line
        say running "$line"
        ;;
    esac
  done
}

# The survey has no probe, because every run surveys the server again.
has_probe() { declare -F "probe_$1" >/dev/null; }

probe() {
  (
    set -Eeuo pipefail
    "probe_$1"
  ) </dev/null &>/dev/null
}

# Never call this in a condition: that disables set -e, and a step would continue after its first failure.
apply() {
  (
    set -Eeuo pipefail
    "apply_$1"
  ) </dev/null 2>&1 | relay
  return "${PIPESTATUS[0]}"
}

# Reverts what the failed step changed, then ends the run.
fail_step() {
  (
    set -Eeuo pipefail
    undo_step
  ) </dev/null 2>&1 | while IFS= read -r line; do say running "$line"; done
  ((PIPESTATUS[0] == 0)) || say running 'Not everything this step changed could be restored.'
  fail "$1"
}

is_kept() { [[ $(part_state "$1") == kept ]]; }

run_step() {
  local code was reason
  progress=$begin part=$1 was=$(part_state "$1")
  if [[ $was == kept ]]; then
    reason=$(kept_reason "$1")
    ! declare -F "remark_$1" >/dev/null || reason+=$("remark_$1")
    say running "kept: $reason"
    kept+=" kept: $reason"
    return
  fi
  if has_probe "$1" && probe "$1"; then
    say running 'Already done.'
  else
    say running 'Begun.'
    sync "$events"
    [[ $was != absent ]] || record "# part $1 begun" || fail "The step “$step” failed: the manifest could not be written."
    apply "$1"
    code=$?
    # Code 3 is a refusal, whose last line is a complete sentence.
    ((code != 3)) || fail "$last"
    ((code == 0)) || fail_step "The step “$step” failed: ${complaint:-${last:-it printed nothing}}"
    ! has_probe "$1" || probe "$1" || fail_step "The step “$step” finished, but its result is missing on the server."
    progress=$((begin + share))
    say running 'Done.'
  fi
  settle_step "$was"
  sync "$events"
}

# settle_step STATE-BEFORE: makes the step's changes permanent. For a part that was already `ours`, lists deliberate differences.
settle_step() {
  local line
  rm -rf "$(undo_folder)"
  [[ -n $1 ]] || return 0
  [[ $1 == ours ]] || record "# part $part ours" || fail "The step “$step” failed: the manifest could not be written."
  [[ $1 == ours ]] && declare -F "differences_$part" >/dev/null || return 0
  while IFS= read -r line; do say running "$line"; done < <("differences_$part" 2>/dev/null </dev/null)
}

main() {
  local name weight title total=0 passed=0 line
  local step='' part='' kept='' progress=0 begin=0 share=0 last='' complaint=''
  trap 'fail "The installation was stopped from outside during the step “$step”. Start it again: it continues from there."' TERM
  while read -r _ weight _; do total=$((total + weight)); done <<<"$steps"
  while read -r name weight title; do
    step=$title
    begin=$((passed * 99 / total)) share=$((weight * 99 / total))
    run_step "$name" </dev/null
    passed=$((passed + weight))
  done <<<"$steps"
  while IFS= read -r line; do say running "$line"; done < <(tell_hand_made)
  progress=100
  say 'done' "The server is ready.$kept"
  sync "$events"
}
main
