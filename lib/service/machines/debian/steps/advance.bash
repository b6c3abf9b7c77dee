# Turns apt's progress into the step's: a quarter for the download, the rest for the installation.
advance() {
  local percent=${2%%.*} now
  [[ $percent =~ ^[0-9]{1,3}$ ]] || return 0
  [[ $1 == dlstatus ]] && percent=$((percent / 4)) || percent=$((25 + percent * 3 / 4))
  now=$((begin + share * percent / 100))
  ((now <= progress)) || progress=$now
}
