# Python, where it is missing. Comes before the nightly backup, which runs the program of the package that the upgrade itself is begun from. The package of an
# earlier version stays as long as the nightly backup of before names it, so nothing of this has to be taken back.
source host/python.bash
source host/whole.bash
source steps/backups.bash

upgrade_server_host() {
  [[ -e $backup_script ]] || return 0
  if ! has_python; then
    install_python
    echo 'Installed: python3'
  fi
}
