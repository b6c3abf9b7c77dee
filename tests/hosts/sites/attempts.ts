/** What a program of one site tries from inside to reach another. */

/** A page of PHP that answers one line per attempt; `no` where nothing was gained. */
export const attemptsPage = (other: string, ownPassword: string, own: string): string => `<?php
header('Content-Type: text/plain');
ini_set('display_errors', '0');
mysqli_report(MYSQLI_REPORT_OFF);
$other = '${other}';
function tell(string $what, bool $gained): void { echo $what, ': ', $gained ? 'REACHED' : 'no', "\\n"; }
foreach (["/home/$other/public/index.html", "/home/$other/public", "/etc/gatehouse/sites/$other/site", "/etc/gatehouse/sites/$other/php-fpm.conf",
  "/etc/apache2/sites-available/zz-gatehouse-$other.conf", "/var/log/gatehouse-sites/$other/access.log", "/home/$other/private/sessions"] as $path)
  tell("file $path", @file_get_contents($path) !== false || @scandir($path) !== false);
tell('write', @file_put_contents("/home/$other/public/x", 'x') !== false || @file_put_contents('/etc/x', 'x') !== false);
$version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
foreach (["/run/gatehouse-sites/$other/php.sock", "/run/php/php$version-fpm.sock"] as $socket)
  tell("socket $socket", @stream_socket_client("unix://$socket", $code, $why, 2) !== false);
$seen = array_filter(glob('/proc/[0-9]*') ?: [], fn ($folder) => @fileowner($folder) !== posix_getuid());
tell('processes', count($seen) > 0);
tell('kill', @posix_kill(1, 0));
$scripts = array_keys((opcache_get_status() ?: [])['scripts'] ?? []);
tell('processes by D-Bus', is_readable('/run/dbus/system_bus_socket') && @stream_socket_client('unix:///run/dbus/system_bus_socket', $code, $why, 2) !== false);
tell('mail', @scandir('/var/mail') !== false);
tell('shared memory', count(array_diff(scandir('/dev/shm') ?: [], ['.', '..'])) > 0);
tell('opcache', count(array_filter($scripts, fn ($path) => !str_starts_with($path, '/home/${own}/'))) > 0);
$connection = mysqli_connect('localhost', '${own}', base64_decode('${Buffer.from(ownPassword).toString('base64')}'), '${own}');
echo 'own database: ', $connection ? 'connected' : mysqli_connect_error(), "\\n";
tell('database', (bool) @mysqli_select_db($connection, $other));
tell('databases', !!array_diff(array_column(mysqli_fetch_all(mysqli_query($connection, 'SHOW DATABASES')), 0), ['information_schema', '${own}']));
tell('temporary files', count(array_diff(scandir('/tmp'), ['.', '..'])) > 0);
echo 'user: ', posix_getpwuid(posix_geteuid())['name'], "\\n";
`

/** A page of PHP that locks a table of the site's database for as long as its session lives. */
export const attemptToLock = (password: string, own: string): string => `<?php
ignore_user_abort(true);
$connection = mysqli_connect('localhost', '${own}', base64_decode('${Buffer.from(password).toString('base64')}'), '${own}');
mysqli_query($connection, 'LOCK TABLES t WRITE');
mysqli_query($connection, 'SELECT BENCHMARK(100000000000000, 1 + 1)');
`
