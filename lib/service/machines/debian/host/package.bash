# Where the package is, and whether it is what its version says: a folder per version, whose name is the hash of the list of its hashes.
programs_home=/usr/lib/gatehouse
# For a deletion on a full disk: put.bash.
programs_in_memory=/run/gatehouse/programs

# is_program_whole FOLDER
is_program_whole() {
  [[ $(sha256sum 2>/dev/null <"$1/SHA256SUMS") == "${1##*/}"* ]] && (cd "$1" && sha256sum --quiet --strict --check SHA256SUMS) &>/dev/null
}
