# php-bursts.pl SOCKET FILE UNIT ROUNDS: asks PHP of a site for FILE in bursts of ten, each within milliseconds of the moment in which an idle worker
# ends; PHP-FPM looks for such workers once a second. Prints how many got no answer within 6 s, and ends with the first burst of that kind.
use strict; use warnings;
use IO::Socket::UNIX;
use Time::HiRes qw(time sleep);

my ($socket, $file, $unit, $rounds) = @ARGV;
my $record = sub { pack("CCnnCx", 1, $_[0], 1, length $_[1], 0) . $_[1] };
my %asked = (SCRIPT_FILENAME => $file, SCRIPT_NAME => "/page.php", REQUEST_METHOD => "GET", SERVER_PROTOCOL => "HTTP/1.1");
my $params = join "", map { pack("CC", length $_, length $asked{$_}) . $_ . $asked{$_} } keys %asked;
my $request = $record->(1, pack("nCx5", 1, 0)) . $record->(4, $params) . $record->(4, "") . $record->(5, "");
chomp(my $main = `systemctl show -P MainPID $unit`);

sub is_answered {
  local $SIG{ALRM} = sub { die };
  my $said = "";
  eval {
    alarm 6;
    my $to = IO::Socket::UNIX->new(Peer => $socket) or die;
    $to->syswrite($request);
    1 while sysread($to, $said, 8192, length $said);
  };
  alarm 0;
  return length $said > 0;
}

sub burst {
  pipe(my $results, my $result);
  my @callers = map { my $caller = fork // die; if (!$caller) { syswrite $result, is_answered() ? 1 : 0; exit } $caller } 1 .. 10;
  close $result;
  local $/;
  my $all = <$results>;
  waitpid $_, 0 for @callers;
  return $all =~ tr/0//;
}

sub workers { return map { /(\d+)/ ? $1 : () } `pgrep -P $main` }

# When one of the workers that are there ends; undef if none does within 2.5 s.
sub an_end {
  my @now = workers();
  for (my $until = time + 2.5; time < $until; sleep 0.0005) { return time if grep { !kill 0, $_ } @now }
  return undef;
}

my $silent = 0;
for my $round (1 .. $rounds) {
  $silent += !is_answered();
  my $end = an_end();
  if ($end) {
    # The worker that this one leaves ends a whole number of seconds after the former one.
    $silent += !is_answered();
    my $until = $end + int(time + 1.15 - $end) + 1 - 0.004 + rand() * 0.006;
    sleep($until - time);
  }
  $silent += burst();
  last if $silent;
}
print "$silent\n";
