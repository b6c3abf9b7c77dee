# Deletes an archive that was downloaded. Value: its name.
source sites/backup-files.bash

mapfile -d '' -t values
[[ ${values[0]} =~ ^[0-9a-f-]{36}$ ]] || exit 0
rm -f -- "$downloads_home/${values[0]}"
