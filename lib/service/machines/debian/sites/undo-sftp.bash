# Takes the change of SSH back.
source sites/sftp.bash

set -e
take_back
systemctl reload ssh
