# The host program, and what it runs with. The function print_host_version is in package.ts.
source host/package.bash

python=/usr/bin/python3

host_program() { echo "$programs_home/$(print_host_version)"; }

has_python() { [[ -x $python ]]; }
