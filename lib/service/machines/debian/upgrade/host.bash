# The host program, and Python where it is missing. Comes before the nightly backup, which names its version. The program of an earlier version stays as long as
# the nightly backup of before names it, so nothing of this has to be taken back.
source host/program.bash
source host/python.bash
source host/whole.bash
source steps/backups.bash

upgrade_server_host() {
  [[ -e $backup_script ]] || return 0
  if ! has_python; then
    install_python
    echo 'Installed: python3'
  fi
  is_program_whole "$(host_program)" || content_host_program | put_program "$(print_host_version)"
}
