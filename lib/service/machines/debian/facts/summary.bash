# All facts of a server's summary in one run: a name, a tab and a value per line. backup_mark: a line of the nightly backup that the install puts here by now.
source facts/all-sites.bash
source facts/events.bash
source facts/site-needs.bash
source facts/web-ports.bash
source sites/foreign-links.bash

say() { printf '%s\t%s\n' "$1" "${2//[[:cntrl:]]/ }"; }

# Whether the nightly backup here is the one of an earlier version. One that was edited by hand is its admin's, and has another hash than the manifest.
tell_outdated_server() {
  local file=/usr/local/sbin/gatehouse-backup hash
  [[ -r $file && -r /etc/gatehouse/manifest ]] || return 0
  hash=$(sha256sum <"$file" | cut -d' ' -f1)
  grep -qxF -- "${backup_mark:?}" "$file" || ! grep -qxF -- "$hash  $file" /etc/gatehouse/manifest || echo yes
}

read_records
say hostname "$(uname -n)"
say kernel "$(uname -r)"
say cores "$(getconf _NPROCESSORS_ONLN)"
say cpu "$(awk -F ': *' '/^(model name|Model|Hardware)/ { print $2; exit }' /proc/cpuinfo)"
say load "$(cut -d' ' -f3 /proc/loadavg)"
say uptime_seconds "$(cut -d. -f1 /proc/uptime)"
say ip "$(ip -4 -o addr show scope global 2>/dev/null | awk '{ sub("/.*", "", $4); print $4; exit }')"
say ipv6 "$(ip -6 -o addr show scope global -deprecated 2>/dev/null | awk '{ sub("/.*", "", $4); print $4; exit }')"
read -r total used free < <(df -B1 --output=size,used,avail / | tail -n 1)
say disk_total "$total"
say disk_space "$used"
say disk_free "$free"
say mem_total "$(awk '/^MemTotal:/ { printf "%.0f", $2 * 1024 }' /proc/meminfo)"
say mem_free "$(awk '/^MemAvailable:/ { printf "%.0f", $2 * 1024 }' /proc/meminfo)"
zone=$(readlink -f /etc/localtime)
[[ $zone == /usr/share/zoneinfo/* ]] && say timezone "${zone#/usr/share/zoneinfo/}"
[[ -e /run/reboot-required ]] && say reboot_required yes
say failed_units "$(systemctl list-units --state=failed --plain --no-legend --no-pager 2>/dev/null | awk 'NR <= 50 { print $1 }' | tr '\n' ' ')"
say failing_certificates "$(tell_failing_certificates 2>/dev/null)"
say foreign_links "$(tell_foreign_links 2>/dev/null)"
say outdated_server "$(tell_outdated_server)"
say outdated_sites "$(tell_outdated_sites)"

declare -A needs=([web]=$(needs_web) [database]=$(needs_database))
[[ ! -r /etc/gatehouse/manifest ]] || while read -r mark kind part state reason; do
  [[ $mark == '#' && $kind == part && $state == kept ]] || continue
  [[ $part != firewall ]] || reason+=$(tell_closed_web_ports)
  say "kept_$part" "$reason${needs[$part]:+ ${needs[$part]}}"
  unset "needs[$part]"
done </etc/gatehouse/manifest
# Of what Gatehouse set up, and of what was there before any install.
for part in "${!needs[@]}"; do [[ -z ${needs[$part]} ]] || say "kept_$part" "${needs[$part]}"; done

# UFW is on if the kernel has its rules, as on the Firewall page. An inactive UFW next to another firewall is not reported as "off".
if command -v ufw >/dev/null; then
  if iptables -w 5 -n -L ufw-user-input &>/dev/null; then
    say firewall on
  elif ! systemctl is-active --quiet nftables firewalld netfilter-persistent 2>/dev/null; then
    say firewall off
  fi
fi

dpkg-query -W -f='${db:Status-Abbrev} ${Package} ${Version}\n' apache2 'php*-fpm' mariadb-server 2>/dev/null | while read -r state name version; do
  [[ $state == ii ]] || continue
  case $name in
    apache2) say apache "$version" ;;
    mariadb-server) say mariadb "$version" ;;
    php[0-9]*-fpm) say php "$version" ;;
  esac
done

# Counts the updates again only if apt's lists, its sources or the installed packages have changed.
counted=/var/lib/gatehouse/updates
marks=$(stat -c '%n %.9Y' /var/lib/apt/lists /var/lib/dpkg/status /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null)
if [[ ! -f $counted || $(tail -n +2 "$counted") != "$marks" ]]; then
  install -d -m 700 "${counted%/*}"
  {
    apt-get -s -q -o Debug::NoLocking=1 dist-upgrade 2>/dev/null |
      awk '/^Inst / { all++; if (/-[Ss]ecurity/) security++ } END { printf "%d %d\n", all, security }'
    echo "$marks"
  } >"$counted.new"
  mv -f "$counted.new" "$counted"
fi
read -r all security <"$counted"
say updates "$all"
say security_updates "$security"

tell_events
