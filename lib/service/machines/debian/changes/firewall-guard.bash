# Undoes a firewall change that is not confirmed: a copy of the previous rules, and a unit on disk that restores them
# when the time is up, or when the server reboots before that.
source changes/replace-file.bash

guard=/var/lib/gatehouse/firewall
unit=gatehouse-firewall

hold_firewall() { install -d -m 700 /run/gatehouse && exec 9>/run/gatehouse/firewall.lock && flock -w 60 9; }

# Loads the rules of one UFW file into the kernel in a single commit, so there is no moment without rules or with half of them. A restore
# only empties the chains that its file names, so this fails unless the old and new file name the same chains.
commit_rules() {
  local file=$1 tables=$2
  diff -q <(grep '^:' "$guard/saved/$file") <(grep '^:' "/etc/ufw/$file") >/dev/null && "$tables-restore" -w 5 -n <"$guard/saved/$file"
}

commit_all() {
  commit_rules user.rules iptables && { ! ip6tables -w 5 -n -L ufw6-user-input &>/dev/null || commit_rules user6.rules ip6tables; }
}

put_back_files() {
  local file
  for file in "$guard"/saved/*; do
    cp -p -- "$file" "/etc/ufw/.gatehouse-new" && sync /etc/ufw/.gatehouse-new && mv -f /etc/ufw/.gatehouse-new "/etc/ufw/${file##*/}" || return 1
  done
}

put_back() {
  local committed=
  { install -d -m 700 /run/gatehouse && exec 9>/run/gatehouse/firewall.lock && flock -w 60 9; } || return 1
  [[ -d $guard/saved ]] || return 0
  # During boot this runs before UFW, which then loads the restored files.
  if ! iptables -w 5 -n -L ufw-user-input &>/dev/null; then
    put_back_files || return 1
  elif grep -qi '^ENABLED=yes' "$guard/saved/ufw.conf"; then
    commit_all && committed=yes
    put_back_files || return 1
    # A reload would open all ports for a moment, so it is the fallback.
    [[ -n $committed ]] || ufw reload 9>&- || return 1
  else
    put_back_files && ufw --force disable 9>&- || return 1
  fi
  rm -rf "$guard/saved"
}

write_service() {
  cat <<END
[Unit]
Description=Undoes a change of the firewall that was not confirmed
ConditionPathExists=$guard/saved
DefaultDependencies=no
RequiresMountsFor=$guard /etc
After=local-fs.target
Before=ufw.service

[Service]
Type=oneshot
ExecStart=/bin/bash $guard/put-back

[Install]
WantedBy=multi-user.target
END
}

write_timer() {
  printf '[Unit]\nDescription=Waits for a change of the firewall to be confirmed\n\n[Timer]\nOnActiveSec=%s\nAccuracySec=1s\n' "$1"
}

# The restore program runs alone at boot, so it contains every function it calls.
write_program() {
  printf 'guard=%q\n' "$guard"
  declare -f commit_rules commit_all put_back_files put_back
  echo put_back
}

# put_file PATH WRITER [ARGUMENT]: updates the file if its content differs and sets `new`; exits on failure.
put_file() {
  local path=$1 text
  text=$("${@:2}" && echo .) || exit 1
  text=${text%.}
  ! cmp -s "$path" <(printf '%s' "$text") || return 0
  printf '%s' "$text" | replace_file "$path" 644 "$(byte_count "$text")" || exit 1
  new=yes
}

# Waits for another unconfirmed change, which is confirmed within moments or undone.
await_confirmation() {
  local tries=60
  while [[ -d $guard/saved ]] && ((tries-- > 0)); do sleep 0.1; done
}

# UFW reads its rules before it takes its lock and writes them back afterwards, so this waits until no other UFW runs.
await_ufw() { python3 -I -S -c 'import fcntl; fcntl.lockf(open("/run/ufw.lock", "w"), fcntl.LOCK_EX)' 9>&-; }

# Copies the present rules.
save_rules() {
  rm -rf "$guard/saving"
  install -d -m 700 "$guard" "$guard/saving" && cp -p /etc/ufw/{user.rules,user6.rules,ufw.conf} "$guard/saving/"
}

# arm SECONDS: starts the countdown after which the rules copied by save_rules are restored.
arm() {
  local new=
  put_file "$guard/put-back" write_program
  put_file "/etc/systemd/system/$unit.service" write_service
  put_file "/etc/systemd/system/$unit.timer" write_timer "$1"
  if [[ -n $new ]]; then systemctl daemon-reload && systemctl -q enable "$unit.service" || return 1; fi
  # The timer first: if this script dies in between, it does nothing. A copy without a timer would make later changes wait for a reboot.
  sync "$guard"/saving/* && systemctl restart "$unit.timer" && mv "$guard/saving" "$guard/saved" && sync "$guard"
}

# Called when the change is confirmed or was never made.
disarm() {
  rm -rf "$guard/saved"
  systemctl stop "$unit.timer"
}
