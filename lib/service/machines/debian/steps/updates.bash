# Security updates install themselves.
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

probe_updates() {
  is_put "$updates_conf" content_updates && systemctl -q is-enabled unattended-upgrades "${update_timers[@]}" &&
    systemctl -q is-active "${update_timers[@]}"
}

apply_updates() {
  put "$updates_conf" 644 content_updates
  systemctl -q enable unattended-upgrades
  systemctl -q enable --now "${update_timers[@]}"
}
