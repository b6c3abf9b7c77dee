# The packages, with answers for those that ask.
packages=(
  apache2 php-fpm php-cli php-mysql php-curl php-gd php-mbstring php-xml php-zip
  mariadb-server postfix ufw unattended-upgrades cron ca-certificates
)

probe_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}\n' "${packages[@]}") &&
    [[ $(grep -c '^ii' <<<"$installed") == "${#packages[@]}" && -z $(dpkg --audit) ]]
}

apply_packages() {
  update_lists
  debconf-set-selections <<<'postfix postfix/main_mailer_type select Internet Site'
  debconf-set-selections <<<"postfix postfix/mailname string $(uname -n)"
  apt_get install "${packages[@]}"
}
