# The services of the closed list (machines/services.ts) that this server has, as `systemctl show` prints them: a block of NAME=VALUE for each.
# A service that starts units for its work, such as postfix.service in Debian 12, is followed by these.

show_units() { systemctl show --no-pager --timestamp=unix -p Id -p LoadState -p ActiveState -p SubState -p StateChangeTimestamp "$@"; }

known=(apache2 nginx 'php*-fpm' mariadb mysql postgresql postfix exim4 cron fail2ban ssh)
mapfile -t units < <(systemctl list-unit-files --plain --no-legend --no-pager "${known[@]/%/.service}" 2>/dev/null | awk '$2 != "alias" { print $1 }')
[[ ${#units[@]} == 0 ]] || show_units "${units[@]}"
echo
show_units 'gatehouse-php*@*.service' 'postfix@*.service' 'postgresql@*.service' 2>/dev/null || true
