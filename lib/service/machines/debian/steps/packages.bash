# The packages, with answers for those that ask.
packages=(
  apache2 php-fpm php-cli php-mysql php-curl php-gd php-mbstring php-xml php-zip
  mariadb-server postfix ufw unattended-upgrades cron ca-certificates
)

# apt closes the descriptor of its status to dpkg, so that it must not be standard output itself.
apt_get() {
  apt-get -y -q -o DPkg::Lock::Timeout=900 -o Dpkg::Use-Pty=0 -o APT::Status-Fd=3 -o Acquire::Retries=3 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold --no-install-recommends "$@" 3>&1
}

# apt waits for dpkg's locks but not for the one on its lists.
update_lists() {
  local tries=0 said
  until said=$(apt-get -q -o APT::Update::Error-Mode=any -o Acquire::Retries=3 update 2>&1); do
    [[ $said == *'Could not get lock'* ]] && ((++tries < 180)) || { echo "$said"; return 1; }
    echo "Waiting: $(grep -m 1 'Could not get lock' <<<"$said")"
    sleep 5
  done
  echo "$said"
}

probe_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}\n' "${packages[@]}") &&
    [[ $(grep -c '^ii' <<<"$installed") == "${#packages[@]}" && -z $(dpkg --audit) ]]
}

apply_packages() {
  local broken
  update_lists
  mapfile -t broken < <(dpkg-query -W -f='${db:Status-Eflag} ${Package}\n' | awk '$1 == "reinstreq" { print $2 }')
  ((${#broken[@]} == 0)) || apt_get install --reinstall "${broken[@]}"
  apt_get install --fix-broken
  debconf-set-selections <<<'postfix postfix/main_mailer_type select Internet Site'
  debconf-set-selections <<<"postfix postfix/mailname string $(uname -n)"
  apt_get install "${packages[@]}"
}
