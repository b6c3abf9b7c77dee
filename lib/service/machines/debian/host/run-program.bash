# A job asks the host program for a piece of its work.
source host/whole.bash
source sites/refuse.bash

# Before work begins that needs it.
require_host_program() {
  has_python || refuse 'Python is missing on this server. Run “apt-get install python3”, then try again. Nothing was changed.'
  is_program_whole "$(host_program)" ||
    refuse 'Gatehouse’s program for backups is missing on this server, or was changed. Try again; where backups are made every night, bring the server up to date. Nothing was changed.'
}

# run_host_program <REQUEST: one JSON object. It prints events, each a line of JSON, and fails if what was asked is not done.
run_host_program() {
  require_host_program
  "${program_python[@]}" "$(host_program)"
}
