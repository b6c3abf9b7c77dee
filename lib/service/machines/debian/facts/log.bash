# The last part of a log, after a line for each log there is. Values: its name, the most bytes. 67: there is no such log here;
# 66: there is, and it is not read; `refused` says why.
# Where rsyslog writes no file, the journal has it. What was written before the last rotation belongs to it.
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

# open_log FILE: opens it as descriptor 5, or says in `why` why not. What was opened is judged, not what the name leads to by
# then. A link must stay within the folder of logs; a file of several names may be another's, so that it is not read either.
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

# What the journal is asked for.
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
