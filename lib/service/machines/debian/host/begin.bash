# Begins a script of the package. Values: the package's version, `memory` if it may be in memory, the script's name, what the script reads. Exit code 74: the
# package is not here, or was changed.
source host/package.bash

set -euo pipefail
IFS= read -r -d '' version
IFS= read -r -d '' place
IFS= read -r -d '' script
package_home=$programs_home/$version
if [[ $place == memory ]] && ! is_program_whole "$package_home"; then package_home=$programs_in_memory/$version; fi
is_program_whole "$package_home" || exit 74
# So that it stays until a job names it: program.bash.
touch "$package_home"
exec /bin/bash "$package_home/run/$script.bash"
