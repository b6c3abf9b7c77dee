# Copies files between the homes of two sites, from_name and to_name.
# What copies and rewrites outlives a job that is killed.
transfer_unit=gatehouse-transfer.service

# Only root gets into it while root writes there: programs of the site would put links in the way.
staging_folder() { echo "/home/$to_name/.staging"; }
staged_folder() { echo "$(staging_folder)/public"; }

# copying OPTION... : rsync as root, because the two sites have different users, in a world of nothing but their two homes: whatever
# links a program of the site puts in its way, there is nothing else to read or to write.
copying() {
  local code=0
  systemd-run --quiet --pipe --wait --collect --unit="$transfer_unit" -p PrivateDevices=yes -p PrivateNetwork=yes -p ProtectSystem=strict -p ProtectProc=invisible \
    -p NoNewPrivileges=yes -p ProtectKernelTunables=yes -p ProtectControlGroups=yes -p CapabilityBoundingSet='CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_FSETID' -p TemporaryFileSystem=/home:ro \
    -p BindReadOnlyPaths="/home/$from_name" -p BindPaths="/home/$to_name" \
    -p InaccessiblePaths='-/etc -/root -/srv -/var -/opt -/mnt -/media -/boot -/tmp -/run/mysqld -/run/gatehouse-sites -/run/dbus' \
    /usr/bin/rsync -rlptog --modify-window=-1 --no-devices --no-specials --numeric-ids --chown="$(id -u -- "$to_name"):$(id -g -- "$to_name")" \
    --chmod=ug-s "$@" || code=$?
  # A site whose programs still work deletes files meanwhile.
  ((code == 0 || code == 24))
}
