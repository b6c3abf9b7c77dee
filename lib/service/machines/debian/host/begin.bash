# Begins a script of the package. Values: the package's version, `memory` if it may be in memory, the script's name, what the script reads. Exit code 74: the
# package is not here, or was changed.
source host/package.bash

set -euo pipefail
IFS= read -r -d '' version
IFS= read -r -d '' place
IFS= read -r -d '' script
homes=("$programs_home")
[[ $place != memory ]] || homes+=("$programs_in_memory")
for each in "${homes[@]}"; do
  is_program_whole "$each/$version" || continue
  # So that it stays until a job names it: program.bash.
  touch "$each/$version"
  exec /bin/bash "$each/$version/run/$script.bash"
done
exit 74
