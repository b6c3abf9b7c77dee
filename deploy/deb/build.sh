#!/bin/sh
# build.sh ARCHIVE [FOLDER]: makes gatehouse_VERSION_amd64.deb in FOLDER, or beside the archive, from an archive that `npm run release` made.
# It needs Debian's dpkg-dev tools only. The same archive gives the same package. DEBFULLNAME and DEBEMAIL name whoever answers for it.
set -eu
umask 022
here=$(dirname "$(readlink -f "$0")")
archive=$(readlink -f "$1")
to=$(readlink -f "${2-$(dirname "$archive")}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/gatehouse
mkdir -p "$root/DEBIAN" "$root/opt/gatehouse/releases/.unpacked" "$root/etc/gatehouse" "$root/usr/bin" "$root/usr/lib/gatehouse" \
  "$root/usr/lib/systemd/system" "$root/usr/lib/sysusers.d" "$root/usr/share/doc/gatehouse" "$root/usr/share/lintian/overrides" "$root/usr/share/man/man1"

releases=$root/opt/gatehouse/releases
tar -xzf "$archive" -C "$releases/.unpacked" --strip-components=1
release=$(cat "$releases/.unpacked/VERSION")
# Every file of the archive has the time of its commit.
SOURCE_DATE_EPOCH=$(stat -c %Y "$releases/.unpacked/VERSION")
export SOURCE_DATE_EPOCH
mv "$releases/.unpacked" "$releases/$release"

# Debian sorts 1.2.0~rc.1 before 1.2.0. A commit without a tag is known by a hash, which has no order, so its time comes before it.
version=$(printf %s "$release" | sed "s/^\([0-9.]*\)-/\1~/; s/+g/+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).g/; s/-/./g")

for half in portal service; do
  install -m 644 "$here/gatehouse-$half.service" "$root/usr/lib/systemd/system/"
  install -m 600 "$here/$half.env" "$root/etc/gatehouse/"
  echo "/etc/gatehouse/$half.env" >>"$root/DEBIAN/conffiles"
done
chmod 700 "$root/etc/gatehouse"
install -m 755 "$here/as.sh" "$root/usr/lib/gatehouse/"
install -m 755 "$here/gatehouse" "$root/usr/bin/"
install -m 644 "$here/sysusers.conf" "$root/usr/lib/sysusers.d/gatehouse.conf"
install -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/gatehouse"
install -m 644 "$here/copyright" "$root/usr/share/doc/gatehouse/copyright"
gzip -9n <"$here/gatehouse.1" >"$root/usr/share/man/man1/gatehouse.1.gz"

maintainer="${DEBFULLNAME:-Gatehouse} <${DEBEMAIL:-gatehouse@example.org}>"
printf 'gatehouse (%s) stable; urgency=medium\n\n  * Gatehouse %s; its CHANGELOG.md says what is new.\n\n -- %s  %s\n' \
  "$version" "$release" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/usr/share/doc/gatehouse/changelog.gz"

size=$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
sed "s|@VERSION@|$version|; s|@SIZE@|$size|; s|@MAINTAINER@|$maintainer|" "$here/control" >"$root/DEBIAN/control"
install -m 644 "$here/templates" "$root/DEBIAN/"
for script in preinst postinst prerm postrm; do
  sed "s|@RELEASE@|$release|g; s|@VERSION@|$version|g" "$here/$script" >"$root/DEBIAN/$script"
  chmod 755 "$root/DEBIAN/$script"
done
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | LC_ALL=C sort | grep -v '^etc/' | tr '\n' '\0' | xargs -0 md5sum >DEBIAN/md5sums)

find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$to" >/dev/null
printf '%s\n' "$to/gatehouse_${version}_amd64.deb"
