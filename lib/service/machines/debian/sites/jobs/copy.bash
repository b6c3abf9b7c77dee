# Sends the newest verified backup of the site, or of the server itself, to a repository outside of the server. The answer is the snapshot, the name of the backup, its bytes, and by
# how many the repository grew.
# copy_of: `site` or `server`. copy_target: JSON of the repository and what opens it. It is in no file once the job runs, and in no argument of a program.
source host/python.bash
source host/restic.bash
source host/run-program.bash
source host/whole.bash
source sites/run.bash
source sites/site.bash

job_copy() {
  local copy_of='' copy_target=''
  read_values "$@"
  [[ $copy_of == server ]] || is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_python || take 3 'Python' install_python
  has_restic || take 6 'restic' install_restic
  stoppable=yes take 10 'Copy' send_copy
  pass_return
  end_copy
}

copy_answer() { echo "$job_home/copy"; }

send_copy() {
  local subject='"job": "copy-server"'
  [[ $copy_of == server ]] || subject="\"job\": \"copy-site\", \"domain\": \"$domain\""
  run_host_program <<END
{"protocol": 1, $subject, "result": "$(copy_answer)", "target": $copy_target}
END
}

end_copy() {
  progress=100
  end 'done' "The newest backup of $domain is copied." '' "$(<"$(copy_answer)")"
}

# A copy that is complete stays. Of one that is not, the repository has no snapshot, and parts that the next copy uses.
undo_copy() { [[ ! -s $(copy_answer) ]] || end_copy; }
