# Which app a site has, and which the server offers. Values: the site's id and name; then for each app of the catalogue its name, two files that
# tell, and its package or nothing. Prints the site's version of PHP; `text`, the app, and the beginning of its two files in base64, if both are
# there; `package`, and the name and version of a package. Exit code 67: the site is not here.
source sites/app-texts.bash
source sites/site.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67

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
