# What files of a site say about its app. They belong to the site, so a program reads them that may do no more than those of the site.
source sites/confine.bash

# read_texts PATH...: their beginnings in base64, one a line.
read_texts() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$name")
  systemd-run --quiet --pipe --wait --collect -p User="$name" "${properties[@]}" -p NoNewPrivileges=yes -p MemoryMax=64M -p TasksMax=8 -p RuntimeMaxSec=5 \
    /bin/bash -c 'for each; do head -c 16384 -- "$each" | base64 -w 0; echo; done' read "$@" 2>/dev/null
}
