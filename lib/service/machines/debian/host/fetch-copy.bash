# Brings a backup back from a copy outside of the server, so that it is one of the server's backups again.
# copy_target: as in sites/jobs/copy.bash. snapshot: where it is. wanted: its name. sha256: of its archive, not compressed; empty if that is not known.
source host/restic.bash
source host/run-program.bash
source sites/backup-files.bash
source sites/site.bash

# The archive while it is fetched.
fetched_part() { echo "$backups_home/.fetched-$name"; }

fetch_copy() {
  run_host_program <<END
{"protocol": 1, "job": "fetch-copy", "name": "$name", "domain": "$domain", "backup": "$wanted", "snapshot": "$snapshot", "sha256": "$sha256", "target": $copy_target}
END
}
