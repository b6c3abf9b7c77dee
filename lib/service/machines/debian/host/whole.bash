# The host program, and what it runs with. The function print_host_version is in package.ts.
source host/package.bash

python=/usr/bin/python3
# It writes no bytecode: what a full disk or a power cut has cut short there would fail each later run.
program_python=("$python" -I -S -B -X utf8)

host_program() { echo "$programs_home/$(print_host_version)"; }

has_python() { [[ -x $python ]]; }
