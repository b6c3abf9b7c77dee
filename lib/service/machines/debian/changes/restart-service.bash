# Restarts a service, or starts one that does not run. Value: its unit, of the closed list. Exit codes: 67 it is not here; 65 its configuration is
# wrong, with the last line of the reason; 73 work on the server or a site runs; 75 packages are being installed.
source sites/apache.bash
source unit-is-running.bash

set -uo pipefail
mapfile -d '' -t values
unit=${values[0]}

lock=$(stat -c %i /var/lib/dpkg/lock-frontend 2>/dev/null) && grep -q ":$lock " /proc/locks && exit 75
for work in gatehouse-install.service 'gatehouse-site-job*.service' gatehouse-backup.service; do
  ! any_is_running "$work" || exit 73
done

# A service that runs must not end because of a mistake in its files.
check_configuration() {
  case $unit in
    apache2.service) require_accepted ;;
    nginx.service) nginx -t ;;
    php*-fpm.service) "php-fpm$(sed -E 's/^php([0-9.]+)-fpm.*/\1/' <<<"$unit")" -t ;;
    postfix.service) postfix check ;;
    fail2ban.service) fail2ban-client -t ;;
  esac
}

instances() { systemctl list-units --all --plain --no-legend --no-pager "$unit" | awk '$2 == "loaded" { print $1 }'; }

if [[ $unit == *@\*.service ]]; then
  mapfile -t units < <(instances)
  [[ ${#units[@]} -gt 0 ]] || exit 67
else
  [[ $(systemctl show --value -p LoadState "$unit") == loaded ]] || exit 67
  units=("$unit")
fi
reason=$(check_configuration 2>&1) || {
  grep -v '^[[:space:]]*$' <<<"$reason" | tail -n 1
  exit 65
}
began=$(date +%s)
systemctl reset-failed "${units[@]}" 2>/dev/null || true
systemctl restart "${units[@]}" 2>/dev/null && exit
journalctl -q "${units[@]/#/--unit=}" -o cat --no-pager --since "@$began" 2>/dev/null | grep -v '^[[:space:]]*$' | tail -n 1 >&2
exit 1
