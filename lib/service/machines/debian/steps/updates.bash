# Installs security updates automatically.
source steps/files.bash
source steps/listeners.bash
source steps/units.bash

content_updates() {
  cat <<'END'
// Put here by Gatehouse.
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
APT::Periodic::AutocleanInterval "7";
END
}

updates_conf=/etc/apt/apt.conf.d/52gatehouse-updates
update_timers=(apt-daily.timer apt-daily-upgrade.timer)

find_updates() {
  local timer
  if is_installed unattended-upgrades; then
    echo 'unattended-upgrades is already set up; it is left as it is.'
  elif is_installed cron-apt; then
    echo 'cron-apt installs updates here; unattended-upgrades is not installed.'
  elif apt-config dump APT::Periodic | grep -q '"[^"]'; then
    echo 'Automatic updates are configured in /etc/apt; unattended-upgrades is not installed.'
  else
    for timer in "${update_timers[@]}"; do
      if [[ $(systemctl is-enabled "$timer" 2>/dev/null) =~ ^(disabled|masked) ]]; then
        echo "$timer is off here; unattended-upgrades is not installed."
        return
      fi
    done
  fi
}

probe_updates() { is_put "$updates_conf" content_updates && units_run unattended-upgrades "${update_timers[@]}"; }

apply_updates() {
  put "$updates_conf" 644 content_updates
  run_units unattended-upgrades "${update_timers[@]}"
}

differences_updates() { tell_switched_off unattended-upgrades "${update_timers[@]}"; }
