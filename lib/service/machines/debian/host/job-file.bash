# The file of a job. It runs a script of the package that began the job, also when the job is taken back after an upgrade of Gatehouse: as long as the file
# names that version, remove_other_programs keeps it.
source host/package.bash

# content_job SCRIPT EVENTS: if the package is gone, a failed line is added to the file EVENTS.
content_job() {
  declare -f is_program_whole say_lost
  printf 'if is_program_whole %q; then\n  . %q\n  exit\nfi\n' "${package_home:?}" "$package_home/run/$1.bash"
  printf 'say_lost %q "$@"\n' "$2"
}

# say_lost EVENTS ARGUMENT...: of the job.
say_lost() {
  local step progress words='Gatehouse’s program of this job is missing on the server, or was changed. What the job had begun stays as it is.'
  # Whoever follows an upgrade has seen its end before.
  [[ ${!#} != recover ]] || exit 74
  step=$(tail -n 1 "$1" | cut -f 2) progress=$(tail -n 1 "$1" | cut -f 3)
  printf '%(%s)T\t%s\t%d\tfailed\t%s\t%s\thalf_done\n' -1 "$step" "${progress:-0}" "$words" "$words" >>"$1"
  sync "$1"
  exit 74
}
