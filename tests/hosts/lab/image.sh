#!/bin/bash
# image.sh SUITE TARGET: makes the image of a freshly installed Debian server, from this machine's own apt sources. It has what Debian's installer
# puts on a server with “standard system utilities” and “SSH server”: the packages of the priorities required, important and standard, and those
# that openssh-server, systemd and sudo recommend, such as libpam-systemd, which gives each login a user manager. What still differs:
# - no kernel, initramfs, boot loader, firmware, AppArmor, nor what the installer adds for the console, keyboard and language;
# - no manuals, word lists and tools for reporting bugs ($left_out), no man pages, no translations;
# - rsyslog and sudo, which the installer adds only to older releases, and only where root has no password.
set -eu
suite=$1 target=$2
[ -d "$target" ] && exit 0
left_out='man-db manpages doc-debian debian-faq wamerican reportbug python3-reportbug apt-listchanges tasksel tasksel-data krb5-locales'

# "URI RELEASE" of each source in use, whichever of apt's two formats it is written in.
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' | sort -u)
archive=$(awk '$1 ~ /debian\/$/ && $2 !~ /-/ { print $1; exit }' <<<"$sources")
security=$(awk '$2 ~ /-security$/ { print $1; exit }' <<<"$sources")
archive=${archive:-http://deb.debian.org/debian/} security=${security:-http://deb.debian.org/debian-security/}
key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'

building="$target.building.$$"
list=$(mktemp --suffix=.list)
trap 'rm -rf --one-file-system "$building" "$list"' EXIT
printf "deb $key %s %s main\n" "$archive" "$suite" "$archive" "$suite-updates" "$security" "$suite-security" >"$list"

# The image has no host keys and no machine id: each host makes its own. It knows the packages, as a server does whose apt has run
# once. Programs in it find theirs by Debian's own PATH.
# shellcheck disable=SC2086 # left_out is names, one a word.
PATH=/usr/sbin:/usr/bin:/sbin:/bin mmdebstrap --quiet --variant=important \
  --include="?and(?priority(standard)$(printf ',?not(?exact-name(%s))' $left_out))" \
  --include=openssh-server,libpam-systemd,libnss-systemd,dbus-user-session,systemd-timesyncd,ncurses-term,xauth,libpam-cap,sudo,rsyslog,ca-certificates,locales \
  --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --customize-hook='mv "$1"/etc/apt/sources.list.d/*.list "$1"/etc/apt/sources.list.d/debian.list' \
  --skip=cleanup/apt/lists --customize-hook='chroot "$1" apt-get -q update' \
  --customize-hook='rm -f "$1"/etc/ssh/ssh_host_* "$1"/etc/resolv.conf; : >"$1"/etc/machine-id' \
  "$suite" "$building" "$list"
mv -T "$building" "$target"
