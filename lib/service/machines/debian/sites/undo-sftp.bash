# Takes the change of SSH back.
set -e
take_back
systemctl reload ssh
