# Proves that the site could be restored from a copy outside of the server. The answer is the verdict: `good`, or the cause why not.
# copy_target, snapshot, wanted, sha256: as in host/fetch-copy.bash.
source host/python.bash
source host/restic.bash
source host/run-program.bash
source host/whole.bash
source sites/run.bash
source sites/scratch.bash
source sites/site.bash

job_prove() {
  local copy_target='' snapshot='' sha256='' wanted=''
  read_values "$@"
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_python || take 3 'Python' install_python
  has_restic || take 6 'restic' install_restic
  stoppable=yes take 10 'Proof' prove_copy
  pass_return
  end_proof
}

proof_verdict() { echo "$job_home/proof"; }

# Whatever the server serves comes first.
prove_copy() {
  renice -n 19 -p "$BASHPID" >/dev/null
  ionice -c 3 -p "$BASHPID"
  run_host_program <<END
{"protocol": 1, "job": "prove-copy", "name": "$name", "domain": "$domain", "backup": "$wanted", "snapshot": "$snapshot", "sha256": "$sha256", "result": "$(proof_verdict)", "target": $copy_target}
END
}

end_proof() {
  progress=100
  if [[ $(<"$(proof_verdict)") == good ]]; then
    end 'done' "$domain could be restored from the copy." '' good
  fi
  end 'done' "$last" '' "$(<"$(proof_verdict)")"
}

# The database that the dump was loaded into is all that it leaves.
undo_prove() { take_back drop_scratch; }
