# Runs each step in turn and records each line of its output as an event. The last line is done or failed.
source facts/site-needs.bash
source steps/advance.bash
source steps/files.bash
source steps/manifest.bash
source steps/tell.bash
source steps/undo.bash

install_home=/var/lib/gatehouse/install
events=$install_home/events reserve=$install_home/reserve
shopt -s lastpipe

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
  ) </dev/null 2>&1 | cut_lines | relay
  return "${PIPESTATUS[0]}"
}

# Reverts what the failed step changed, then ends the run.
fail_step() {
  (
    set -Eeuo pipefail
    undo_step
  ) </dev/null 2>&1 | cut_lines | while IFS= read -r line; do say running "$line"; done
  ((PIPESTATUS[0] == 0)) || say running 'Not everything this step changed could be restored.'
  fail "$1"
}

is_kept() { [[ $(part_state "$1") == kept ]]; }

run_step() {
  local code was reason needs
  progress=$begin part=$1 was=$(part_state "$1")
  if [[ $was == kept ]]; then
    reason=$(kept_reason "$1")
    ! declare -F "remark_$1" >/dev/null || reason+=$("remark_$1")
    find_needs
    say running "kept: $reason${needs:+ $needs}"
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
  find_needs
  [[ -z $needs ]] || say running "$needs"
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

# Sets `needs`: what the part lacks without which every site is refused, and what to do.
find_needs() {
  needs=''
  ! declare -F "needs_$part" >/dev/null || needs=$("needs_$part" 2>/dev/null </dev/null)
  [[ -z $needs ]] || lacking+="${lacking:+ and }“$step”"
}

main() {
  local name weight title total=0 passed=0 line
  local step='' part='' kept='' lacking='' progress=0 begin=0 share=0 last='' complaint=''
  trap 'fail "The installation was stopped from outside during the step “$step”. Start it again: it continues from there."' TERM
  while read -r _ weight _; do total=$((total + weight)); done <<<"${steps:?}"
  while read -r name weight title; do
    step=$title
    begin=$((passed * 99 / total)) share=$((weight * 99 / total))
    run_step "$name" </dev/null
    passed=$((passed + weight))
  done <<<"${steps:?}"
  while IFS= read -r line; do say running "$line"; done < <(tell_hand_made)
  progress=100
  say 'done' "The server is ready${lacking:+, but no site can be created on it yet: see $lacking}.$kept"
  sync "$events"
}
main
