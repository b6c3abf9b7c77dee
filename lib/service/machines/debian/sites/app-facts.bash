# Which app a site has, and which the server offers. Values: the site's id and name; then for each app of the catalogue its name, two files that
# tell, and its package or nothing. Prints the site's version of PHP; `text`, the app, and the beginning of its two files in base64, if both are
# there; `package`, and the name and version of a package. Exit code 67: the site is not here.
source sites/confine.bash
source sites/site.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67

# read_texts PATH...: their beginnings in base64, one a line. They belong to the site, so a program reads them that may do no more than those of the
# site.
read_texts() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$name")
  systemd-run --quiet --pipe --wait --collect -p User="$name" "${properties[@]}" -p NoNewPrivileges=yes -p MemoryMax=64M -p TasksMax=8 -p RuntimeMaxSec=5 \
    /bin/bash -c 'for each; do head -c 16384 -- "$each" | base64 -w 0; echo; done' read "$@" 2>/dev/null
}

root=$home/public${served_folder:+/$served_folder}
printf 'php\t%s\n' "$(site_php)"
packages=()
for ((at = 2; at + 3 < ${#values[@]}; at += 4)); do
  [[ -z ${values[at + 3]} ]] || packages+=("${values[at + 3]}")
  [[ -f $root/${values[at + 1]} && -f $root/${values[at + 2]} ]] || continue
  mapfile -t texts < <(read_texts "$root/${values[at + 1]}" "$root/${values[at + 2]}")
  printf 'text\t%s\t%s\t%s\n' "${values[at]}" "${texts[0]-}" "${texts[1]-}"
done
((${#packages[@]} == 0)) ||
  timeout 10 apt-cache show --no-all-versions -- "${packages[@]}" 2>/dev/null | sed -nE 's/^(Package|Version): (.*)/\1 \2/p' |
  awk '$1 == "Package" { name = $2 } $1 == "Version" { print "package\t" name "\t" $2 }'
exit 0
