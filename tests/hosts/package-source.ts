/** A source of packages on a lab host, made of packages that the test builds there. */

/** Shell functions that build packages and sources of packages from them. */
export const packageBuilder = String.raw`
set -euo pipefail
# package NAME VERSION SOURCE [POSTINST]: a package with a configuration file of its own that names the version.
package() {
  local root=/srv/build/$1-$2
  mkdir -p "$root/DEBIAN" "$root/etc/gh-test"
  printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: test <test@example.org>\nDescription: test\n' "$1" "$2" >"$root/DEBIAN/control"
  echo "version $2" >"$root/etc/gh-test/$1.conf"
  echo "/etc/gh-test/$1.conf" >"$root/DEBIAN/conffiles"
  printf '#!/bin/sh\nset -e\n%s\n' "${'$'}{4-}" >"$root/DEBIAN/postinst"
  chmod 755 "$root/DEBIAN/postinst"
  mkdir -p "/srv/apt/$3"
  dpkg-deb --root-owner-group -b "$root" "/srv/apt/$3/$1_$2_all.deb" >/dev/null
}
# index SOURCE LABEL SUITE
index() {
  cd "/srv/apt/$1"
  for deb in ./*.deb; do
    dpkg-deb -f "$deb"
    printf 'Filename: %s\nSize: %s\nSHA256: %s\n\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
  done >Packages
  printf 'Origin: %s\nLabel: %s\nSuite: %s\nCodename: %s\nArchitectures: all amd64\nSHA256:\n %s %s Packages\n' \
    "$2" "$2" "$3" "$3" "$(sha256sum Packages | cut -d' ' -f1)" "$(stat -c %s Packages)" >Release
}
`
