# What a job has noted in its journal is undone by the host program.
source host/run-program.bash

# take_steps_back: the newest step first. It may be interrupted and begin again.
take_steps_back() {
  [[ -e $job_home/journal ]] || return 0
  printf '{"protocol":1,"job":"take-back","journal":"%s"}' "$job_home/journal" | run_host_program
}
