# The programs beside Postfix that email needs, each as a unit of Gatehouse's own: Debian's units and settings stay as they came.
source sites/mail.bash
source sites/site.bash
source steps/apt.bash
source steps/units.bash

mail_packages=(dovecot-core opendkim postsrsd)
mail_units=(gatehouse-mail-logins gatehouse-mail-signing gatehouse-mail-senders)
limit_program=/usr/local/sbin/gatehouse-mail-limit
# Recipients in an hour, for each login. The file may be changed by hand.
default_hourly_limit=200

has_package() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null) == 'ii ' ]]; }

# Those that Gatehouse has installed, or begun to.
own_mail_packages() { cat "$mail_home/packages" 2>/dev/null || true; }

mail_product() {
  case $1 in
    dovecot-core) echo Dovecot ;;
    opendkim) echo OpenDKIM ;;
    postsrsd) echo PostSRSd ;;
  esac
}

install_mail_programs() {
  local each missing=()
  for each in "${mail_packages[@]}"; do has_package "$each" || missing+=("$each"); done
  ((${#missing[@]})) || return 0
  install -d -m 755 "$mail_home"
  printf '%s\n' "${mail_packages[@]}" | write_file "$mail_home/packages" 600
  update_lists
  apt_get install "${missing[@]}"
  # Debian starts them at once, with settings that nobody uses.
  for each in dovecot.socket dovecot.service opendkim.service postsrsd.service; do
    systemctl -q disable --now "$each" 2>/dev/null || true
  done
}

# Dovecot only checks logins here. Its releases 2.3 and 2.4 name the same settings differently.
dovecot_version() { dovecot --version | grep -oE '^[0-9]+\.[0-9]+\.[0-9]+'; }

content_logins_settings() {
  local version
  version=$(dovecot_version)
  echo '# Put here by Gatehouse.'
  if [[ $version == 2.3.* ]]; then
    cat <<END
disable_plaintext_auth = no
auth_username_format = %Lu
passdb {
  driver = passwd-file
  args = scheme=CRYPT username_format=%u $mail_home/logins
}
END
  else
    cat <<END
dovecot_config_version = $version
dovecot_storage_version = $version
auth_allow_cleartext = yes
auth_username_format = %{user | lower}
passdb passwd-file {
  passwd_file_path = $mail_home/logins
}
END
  fi
  cat <<'END'
base_dir = /run/gatehouse-mail-logins
protocols =
ssl = no
auth_mechanisms = plain login
service auth {
  unix_listener /var/spool/postfix/private/gatehouse-logins {
    mode = 0660
    user = postfix
    group = postfix
  }
}
END
}

content_logins_unit() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Checks the logins of addresses of sites
After=network.target
Before=postfix.service

[Service]
ExecStart=/usr/sbin/dovecot -F -c $mail_home/logins.conf
ExecReload=/bin/kill -HUP \$MAINPID
Restart=on-failure
RuntimeDirectory=gatehouse-mail-logins

[Install]
WantedBy=multi-user.target
END
}

# What is signed depends on the login, not on what the message says about its sender: otherwise a site could have mail signed for another.
content_signing_settings() {
  cat <<END
# Put here by Gatehouse.
Syslog yes
Mode s
Canonicalization relaxed/relaxed
OversignHeaders From
SenderMacro {auth_authen}
UserID opendkim:postfix
UMask 007
Socket local:/var/spool/postfix/gatehouse-signing/socket
KeyTable file:$mail_home/signing_keys
SigningTable refile:$mail_home/signed
END
}

content_signing_unit() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Signs mail that addresses of sites send
After=network.target
Before=postfix.service

[Service]
ExecStartPre=/usr/bin/install -d -m 750 -o opendkim -g postfix /var/spool/postfix/gatehouse-signing
ExecStart=/usr/sbin/opendkim -f -x $mail_home/signing.conf
ExecReload=/bin/kill -USR1 \$MAINPID
Restart=on-failure

[Install]
WantedBy=multi-user.target
END
}

content_senders_unit() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Rewrites the senders of mail that sites forward
After=network.target
Before=postfix.service

[Service]
END
  if srs_is_first; then
    cat <<END
EnvironmentFile=$mail_home/srs.conf
ExecStart=/usr/sbin/postsrsd -f10781 -r10782 "-d\${SRS_DOMAIN}" -s$mail_home/srs.secret -ugatehouse-mail -c/var/lib/gatehouse-mail/empty "-X\${SRS_EXCLUDE}"
END
  else
    echo "ExecStart=/usr/sbin/postsrsd -C $mail_home/srs.conf"
  fi
  cat <<'END'
Restart=on-failure

[Install]
WantedBy=multi-user.target
END
}

# Answers Postfix whether a login may send: a folder for each domain, a file for each login, a line for each message.
content_limit_program() {
  cat <<'END'
#!/usr/bin/perl
# Put here by Gatehouse.
use strict;
use warnings;
use Fcntl qw(:flock :seek);

my $home = '/var/lib/gatehouse-mail/sent';
$| = 1;
my %asked;
while (my $line = <STDIN>) {
  chomp $line;
  if ($line ne '') {
    $asked{$1} = $2 if $line =~ /^([a-z_]+)=(.*)$/;
    next;
  }
  print 'action=', answer($asked{sasl_username} // '', $asked{recipient_count} || 1), "\n\n";
  %asked = ();
}

sub most {
  open my $file, '<', '/etc/gatehouse/mail/hourly-limit' or return 0;
  my ($number) = (<$file> // '') =~ /^(\d{1,6})$/;
  return $number // 0;
}

sub answer {
  my ($login, $recipients) = @_;
  my ($user, $domain) = lc($login) =~ /^([a-z0-9_][a-z0-9._-]*)@([a-z0-9][a-z0-9.-]*)$/ or return '550 5.7.1 This login cannot send.';
  mkdir "$home/$domain";
  open my $file, '+>>', "$home/$domain/$user" or return '451 4.3.0 What this address has sent cannot be counted at the moment.';
  flock $file, LOCK_EX;
  seek $file, 0, SEEK_SET;
  my @lines = grep { /^(\d+) (\d+)$/ && $1 > time - 3600 } <$file>;
  my $sent = 0;
  $sent += (split)[1] for @lines;
  my $most = most();
  return "450 4.7.1 This address has sent to $sent recipients within an hour, of $most it may. Try again later." if $sent + $recipients > $most;
  truncate $file, 0;
  print $file @lines, time, " $recipients\n";
  close $file or return '451 4.3.0 What this address has sent cannot be counted at the moment.';
  return 'DUNNO';
}
END
}

write_mail_programs() {
  getent passwd gatehouse-mail >/dev/null ||
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin -- gatehouse-mail
  install -d -m 755 /var/lib/gatehouse-mail /var/lib/gatehouse-mail/empty
  install -d -m 700 -o gatehouse-mail -g gatehouse-mail /var/lib/gatehouse-mail/sent
  [[ -s $mail_home/hourly-limit ]] || echo "$default_hourly_limit" | write_file "$mail_home/hourly-limit" 644
  [[ -s $mail_home/srs.secret ]] || openssl rand -base64 24 | write_file "$mail_home/srs.secret" 600
  content_limit_program | write_file "$limit_program" 755
  content_logins_settings | write_file "$mail_home/logins.conf" 644
  content_signing_settings | write_file "$mail_home/signing.conf" 644
  content_logins_unit | write_file /etc/systemd/system/gatehouse-mail-logins.service 644
  content_signing_unit | write_file /etc/systemd/system/gatehouse-mail-signing.service 644
  content_senders_unit | write_file /etc/systemd/system/gatehouse-mail-senders.service 644
  write_srs_settings || true
  systemctl daemon-reload
}

run_mail_programs() {
  local each
  for each in "${mail_units[@]}"; do
    systemctl -q enable "$each"
    restart_unit "$each"
  done
}

stop_mail_programs() {
  local each
  for each in "${mail_units[@]}"; do systemctl -q disable --now "$each" 2>/dev/null || true; done
}
