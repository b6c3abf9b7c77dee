# Where the host program is, and whether it is what its version says: a folder per version, whose name is the hash of the list of its hashes. The function
# print_host_version is in texts.ts.
programs_home=/usr/lib/gatehouse
python=/usr/bin/python3

host_program() { echo "$programs_home/$(print_host_version)"; }

has_python() { [[ -x $python ]]; }

# is_program_whole FOLDER
is_program_whole() {
  [[ $(sha256sum 2>/dev/null <"$1/SHA256SUMS") == "${1##*/}"* ]] && (cd "$1" && sha256sum --quiet --strict --check SHA256SUMS) &>/dev/null
}
