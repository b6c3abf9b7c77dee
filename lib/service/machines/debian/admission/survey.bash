# Describes the server and what the user may do on it. Runs as that user and changes nothing.
say() { printf '%s\t%s\n' "$1" "${2//[[:cntrl:]]/ }"; }

(
  # shellcheck source=/dev/null # Of the server.
  . /etc/os-release
  say os "${ID:-}"
  say version "${VERSION_ID:-}"
  say name "${PRETTY_NAME:-}"
)
say hostname "$(uname -n)"
[[ -d /run/systemd/system ]] && say systemd yes
if [[ $EUID == 0 ]]; then
  say becomes_root itself
elif ! command -v sudo >/dev/null; then
  say becomes_root never
elif sudo -k -n true 2>/dev/null; then
  say becomes_root freely
else
  say becomes_root 'by password'
fi
