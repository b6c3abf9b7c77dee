# Runs a program as root. Values: how, the user's password, the program's text, then the program's own values.
# Before those the program finds one value that it ignores: it is empty, or the password where sudo did not ask for it.
mapfile -d '' -t values
how=${values[0]} password=${values[1]} program=${values[2]}
as_root=(env -i "PATH=$PATH" LC_ALL=C.UTF-8 HOME=/root bash --noprofile --norc -c "$program" gatehouse)

give() {
  [[ $how != 'by password' ]] || printf '%s\n' "$password"
  printf '\0'
  printf '%s\0' "${values[@]:3}"
}

case $how in
  itself) give | "${as_root[@]}" ;;
  freely) give | sudo -k -n "${as_root[@]}" ;;
  'by password') give | sudo -k -S -p '' "${as_root[@]}" ;;
  *) exit 77 ;;
esac
