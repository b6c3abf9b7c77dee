# Prints an archive that was made to be downloaded. Values: its name, and how many bytes to skip. Exit code 67: it is gone.
source sites/backup-files.bash

mapfile -d '' -t values
[[ ${values[0]} =~ ^[0-9a-f-]{36}$ && ${values[1]} =~ ^[0-9]{1,15}$ && -f $downloads_home/${values[0]} ]] || exit 67
exec tail -c "+$((values[1] + 1))" -- "$downloads_home/${values[0]}"
