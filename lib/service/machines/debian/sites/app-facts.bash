# Which app a site has, and which the server offers. Values: the site's id and name; then for each app of the catalogue its name, two files that
# tell, and its package or nothing. Prints the site's version of PHP; `text`, the app, and the beginning of its two files in base64, if both are
# there; `package`, and the name and version of a package. Exit code 67: the site is not here.
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67

# The files belong to the site, so they are read as its user.
read_text() { timeout 5 setpriv --reuid "$name" --regid "$name" --clear-groups head -c 16384 -- "$1" 2>/dev/null | base64 -w 0; }

root=$home/public${served_folder:+/$served_folder}
printf 'php\t%s\n' "$(site_php)"
packages=()
for ((at = 2; at + 3 < ${#values[@]}; at += 4)); do
  [[ -z ${values[at + 3]} ]] || packages+=("${values[at + 3]}")
  [[ -f $root/${values[at + 1]} && -f $root/${values[at + 2]} ]] || continue
  printf 'text\t%s\t%s\t%s\n' "${values[at]}" "$(read_text "$root/${values[at + 1]}")" "$(read_text "$root/${values[at + 2]}")"
done
((${#packages[@]} == 0)) ||
  timeout 10 apt-cache show --no-all-versions -- "${packages[@]}" 2>/dev/null | sed -nE 's/^(Package|Version): (.*)/\1 \2/p' |
  awk '$1 == "Package" { name = $2 } $1 == "Version" { print "package\t" name "\t" $2 }'
exit 0
