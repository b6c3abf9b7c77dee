# Runs a program as root. Values: the method, the user's password, the program's text, then the program's own values.
# The program gets one extra first value that it must ignore: empty, or the password if sudo did not read it.
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
