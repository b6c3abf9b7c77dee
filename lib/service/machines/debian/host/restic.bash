# Copies of backups are made by Debian's restic, which a server gets with its first copy.
source steps/apt.bash

has_restic() { command -v restic >/dev/null; }

install_restic() {
  update_lists
  apt_get install restic
}
