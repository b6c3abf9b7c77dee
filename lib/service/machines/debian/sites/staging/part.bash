# A part of a pull or a push, by the host program.
source host/run-program.bash

# transfer_part PART: what it reads is in the folder of the job: transfer.py names the files.
transfer_part() {
  local moves=false replaces=false
  [[ ${files:?} == no ]] || moves=true
  [[ ${replace:?} == no ]] || replaces=true
  run_host_program <<END
{"protocol": 1, "job": "transfer-site", "transfer": "$1", "direction": "${kind:?}", "name": "$name", "copy": "$copy_name", "files": $moves, "replaces": $replaces, "folder": "${job_home:?}"}
END
}
