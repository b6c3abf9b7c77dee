# How much mail the programs of a site send in an hour through sendmail, as PHP's mail() does. A program of root reads in the journal what Postfix has
# taken from the user of each site, and lists the sites that have reached their limit; Postfix takes no more from these, so that sendmail fails.
# What is counted and who is listed is out of reach for programs of sites. docs/decisions/062-mail-of-sites.md
source sites/confine.bash
source sites/site.bash
source steps/manifest.bash

held_mail=$sites_home/.held-mail
limits_program=$gatehouse_programs/mail-limits
limits_unit=/etc/systemd/system/gatehouse-mail-limits.service

content_limits_program() {
  cat <<'END'
#!/usr/bin/perl
# Put here by Gatehouse.
use strict;
use warnings;
use IO::Select;
use POSIX qw(strftime);

my ($sites, $logs, $hour) = ('/etc/gatehouse/sites', '/var/log/gatehouse-sites', 3600);
my $held_mail = "$sites/.held-mail";
my (%sent, %sender, $rest);
# More than any site may send.
my $most = 10000;

# What is held: until when, by site. It outlives a restart, so that nothing is reported twice.
my %held = map { /^(\S+)\t(\d+)$/ ? ($1 => $2) : () } lines_of($held_mail);

# The last hour comes first.
open my $journal, '-|', qw(journalctl -q -f --no-tail --no-pager -o short-unix --since=-1h
  SYSLOG_IDENTIFIER=postfix/pickup _COMM=pickup + SYSLOG_IDENTIFIER=postfix/qmgr _COMM=qmgr) or die "$!\n";
my $select = IO::Select->new($journal);
while (1) {
  if ($select->can_read(5)) {
    sysread $journal, $rest, 65536, length($rest // '') or exit 1;
    while ($rest =~ s/^([^\n]*)\n//) {
      my $line = $1;
      count($1, $2, $3, $4)
        if $line =~ m{^(\d+)\.\d+ \S+ postfix/(?:pickup|qmgr)\[\d+\]: ([0-9A-Za-z]+): (?:uid=(\d+) |from=<.*>, size=\d+, nrcpt=(\d+) \(queue active\))};
    }
  }
  settle(time);
}

# A mail counts when it is taken, and its further recipients when they are known: once, however often it is tried.
sub count {
  my ($at, $id, $uid, $recipients) = @_;
  if (defined $uid) {
    my $name = getpwuid $uid;
    return unless defined $name && -e "$sites/$name/site";
    $sender{$id} = $name;
    push @{$sent{$name}}, $at;
  } elsif (defined(my $name = delete $sender{$id})) {
    push @{$sent{$name}}, ($at) x (($recipients > $most ? $most : $recipients) - 1);
  }
}

sub lines_of {
  open my $file, '<', $_[0] or return;
  return <$file>;
}

sub limit_of {
  my ($limit) = lines_of("$sites/$_[0]/mail-per-hour");
  return ($limit // '') =~ /^([1-9]\d{0,3})$/ ? $1 : DEFAULT_LIMIT;
}

sub settle {
  my ($now) = @_;
  my %over;
  for my $name (keys %sent) {
    my @times = grep { $_ > $now - $hour } @{$sent{$name}};
    if (@times && -e "$sites/$name/site") { $sent{$name} = \@times } else { delete $sent{$name}; next }
    my $limit = limit_of($name);
    next if @times < $limit;
    $over{$name} = $times[@times - $limit] + $hour;
    report($name, $limit, $over{$name}) unless $held{$name};
  }
  my @reached = grep { !$held{$_} } keys %over;
  my ($before, $after) = map { my $held = $_; join '', map { "$_\t$held->{$_}\n" } sort keys %$held } \%held, \%over;
  %held = %over;
  return if $before eq $after;
  open my $file, '>', "$held_mail.new" or return;
  print $file $after;
  close $file and rename "$held_mail.new", $held_mail or return;
  # Postfix asks the list when a program begins to hand a mail over; those that began earlier would still be taken.
  system qw(pkill -KILL -x -u), $_, 'postdrop' for @reached;
}

# In the log of the site's PHP, where its owner looks.
sub report {
  my ($name, $limit, $until) = @_;
  open my $log, '>>', "$logs/$name/php.log" or return;
  my $at = strftime '%d-%b-%Y %H:%M:%S UTC', gmtime;
  my $then = strftime '%H:%M UTC', gmtime($until + 59);
  print $log "[$at] Gatehouse: The site has reached its limit of $limit mails within an hour. Further mail is refused until $then.\n";
}
END
}

content_limits() { content_limits_program | sed "s/DEFAULT_LIMIT/$default_hourly_mail/"; }

content_limits_unit() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Limits of the mail of sites
After=postfix.service

[Service]
ExecStart=$limits_program
Restart=always
RestartSec=2
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateNetwork=yes
NoNewPrivileges=yes
ReadWritePaths=$sites_home $sites_logs

[Install]
WantedBy=multi-user.target
END
}

limits_mail() { [[ -d $sites_home ]] && command -v postconf >/dev/null && [[ $(part_state mail) == ours ]]; }

# limit_mail: where Postfix is Gatehouse's. senders.bash names the list to Postfix, once it is there.
limit_mail() {
  local changed=''
  limits_mail || return 0
  install -d -m 755 "$gatehouse_programs" "$sites_logs"
  [[ -e $held_mail ]] || write_file "$held_mail" 644 </dev/null
  if write_if_new "$limits_program" 755 content_limits; then changed=yes; fi
  if write_if_new "$limits_unit" 644 content_limits_unit; then
    changed=yes
    systemctl daemon-reload
  fi
  [[ -n $changed ]] || return 0
  systemctl -q enable "${limits_unit##*/}"
  systemctl restart "${limits_unit##*/}"
}

# change_hourly_mail: the last step of a change of settings.
change_hourly_mail() {
  hourly_mail >"${job_home:?}/hourly-mail"
  echo "${new_mail:?}" | write_file "$settings/mail-per-hour" 600
}

restore_hourly_mail() { write_file "$settings/mail-per-hour" 600 <"${job_home:?}/hourly-mail"; }
