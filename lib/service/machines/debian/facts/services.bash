# The services of the closed list (machines/services.ts) that this server has, as `systemctl show` prints them: a block of NAME=VALUE for each.
# A service that starts units for its work, such as postfix.service in Debian 12, is followed by these.

# An older systemd does not know this form, and shows nothing then. Of another form, since when is not read.
show_units() {
  local show=(systemctl show --no-pager -p Id -p LoadState -p ActiveState -p SubState -p StateChangeTimestamp)
  "${show[@]}" --timestamp=unix "$@" 2>/dev/null || "${show[@]}" "$@"
}

known=(apache2 nginx 'php*-fpm' mariadb mysql postgresql postfix exim4 cron fail2ban ssh)
mapfile -t units < <(systemctl list-unit-files --plain --no-legend --no-pager "${known[@]/%/.service}" 2>/dev/null | awk '$2 != "alias" { print $1 }')
[[ ${#units[@]} == 0 ]] || show_units "${units[@]}"
echo
show_units 'gatehouse-php*@*.service' 'postfix@*.service' 'postgresql@*.service' 2>/dev/null || true
