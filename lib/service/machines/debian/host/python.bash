# The install brings Python. Servers that were installed with an earlier version get it when it is needed.
source host/program.bash
source steps/apt.bash

install_python() {
  update_lists
  apt_get install python3
  compile_program
}
