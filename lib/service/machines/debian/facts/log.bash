# The end of a log, after one line for each log on this server. Values: its name, the maximum number of bytes. Exit codes: 67 no such
# log; 66 the log exists but is refused, and the line `refused` says why.
# Where rsyslog writes no file, the log comes from the journal.
source facts/log-end.bash

mapfile -d '' -t values
name=${values[0]} most=${values[1]}
apache=/var/log/apache2
shopt -s nullglob

file_of() {
  folder=/var/log
  case $1 in
    auth) file=/var/log/auth.log ;;
    apache_access) file=$apache/access.log ;;
    apache_error) file=$apache/error.log ;;
    php) local found=(/var/log/php*-fpm.log); file=${found[-1]-} ;;
    mysql) file=/var/log/mysql/error.log ;;
    mail) file=/var/log/mail.log ;;
    firewall) file=/var/log/ufw.log ;;
    fail2ban) file=/var/log/fail2ban.log ;;
    install) folder=/var/lib/gatehouse file=$folder/install/events ;;
    site:*) local domain=${1#site:}; file=$apache/${domain%:*}-${domain##*:}.log ;;
    *) file= ;;
  esac
  [[ -f $file ]]
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
  print_log_end "$file" "$folder" "$most"
elif journal_of "$name"; then
  journalctl --no-pager -q -o short-iso -n 4000 "${question[@]}" | tail -c "$most"
else
  exit 67
fi
