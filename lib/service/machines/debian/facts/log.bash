# The end of a log, after one line for each log on this server. Values: its name, the maximum number of bytes. Exit codes: 67 no such
# log; 66 the log exists but is refused, and the line `refused` says why.
# Where rsyslog writes no file, the log comes from the journal. The previous rotation (.1) fills up a short file.
mapfile -d '' -t values
name=${values[0]} most=${values[1]}
apache=/var/log/apache2
shopt -s nullglob

file_of() {
  case $1 in
    auth) file=/var/log/auth.log ;;
    apache_access) file=$apache/access.log ;;
    apache_error) file=$apache/error.log ;;
    php) local found=(/var/log/php*-fpm.log); file=${found[-1]-} ;;
    mysql) file=/var/log/mysql/error.log ;;
    mail) file=/var/log/mail.log ;;
    firewall) file=/var/log/ufw.log ;;
    fail2ban) file=/var/log/fail2ban.log ;;
    install) file=/var/lib/gatehouse/install/events ;;
    site:*) local domain=${1#site:}; file=$apache/${domain%:*}-${domain##*:}.log ;;
    *) file= ;;
  esac
  [[ -f $file ]]
}

# open_log FILE: opens it as descriptor 5, or sets `why` to the reason why not. Checks the opened file, because the path may lead elsewhere
# by then. A link must stay within the log folder. A file with several hard links may be somebody else's, so it is refused.
open_log() {
  local opened folder=/var/log
  [[ $1 != /var/lib/* ]] || folder=/var/lib/gatehouse
  why='it cannot be opened'
  [[ -f $1 ]] && { exec 5<"$1"; } 2>/dev/null || return
  opened=$(readlink /proc/self/fd/5) folder=$(realpath -- "$folder")
  if [[ ! -f /proc/self/fd/5 || $opened != "$folder"/* ]]; then
    why="it leads to $opened, outside $folder"
  elif [[ $(stat -L -c %h /proc/self/fd/5) -gt 1 ]]; then
    why="its file has more than one name"
  else
    return 0
  fi
  exec 5<&-
  return 1
}

# Sets `question`, the journalctl arguments that select a log.
journal_of() {
  command -v journalctl >/dev/null || return 1
  case $1 in
    auth) question=(SYSLOG_FACILITY=4 + SYSLOG_FACILITY=10) ;;
    journal) question=() ;;
    mysql) command -v mariadbd >/dev/null && question=(-u mariadb.service) ;;
    mail) command -v postfix >/dev/null && question=(SYSLOG_FACILITY=2) ;;
    firewall) command -v ufw >/dev/null && question=(-k --grep '^\[UFW ') ;;
    *) return 1 ;;
  esac
}

for one in auth journal apache_access apache_error php mysql mail firewall fail2ban install; do
  if file_of "$one" || journal_of "$one"; then printf 'log\t%s\n' "$one"; fi
done
for one in "$apache"/*.*-access.log "$apache"/*.*-error.log; do
  one=${one##*/} one=${one%.log}
  printf 'log\tsite:%s:%s\n' "${one%-*}" "${one##*-}"
done
printf 'content\n'

if file_of "$name"; then
  open_log "$file" || { printf 'refused\t%s\n' "$why"; exit 66; }
  exec 6<&5
  size=$(stat -L -c %s /proc/self/fd/6)
  if ((size < most)) && open_log "$file.1"; then tail -c "$((most - size))" <&5; fi
  tail -c "$most" <&6
elif journal_of "$name"; then
  journalctl --no-pager -q -o short-iso -n 4000 "${question[@]}" | tail -c "$most"
else
  exit 67
fi
