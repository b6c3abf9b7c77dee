# Guesses of passwords, on servers that have sites: sites/guesses.bash. May be repeated.
source sites/guesses.bash
source sites/site.bash
source steps/undo.bash
source upgrade/keep.bash

upgrade_server_guesses() {
  compgen -G "$sites_home/*/site" >/dev/null && needs_guard || return 0
  keep_for_undo "$guesses_conf"
  guard_logins
  echo 'Guesses of passwords by SSH are slowed by fail2ban.'
}

# The package stays. Without our settings, its own do not start on Debian 12.
unwind_server_guesses() {
  if is_noted absent "$guesses_conf" && [[ ! -e $guesses_conf ]]; then systemctl -q disable --now fail2ban 2>/dev/null || true; fi
}
