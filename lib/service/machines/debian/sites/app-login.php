<?php
// Logs in to the database by what the configuration of WordPress says once PHP has run it, and prints one line: `in` or `out`, the database, its
// user, and why not. Prints nothing for a configuration that does not tell. Standard input: its path and the site's domain, each ended by NUL.
[$path, $domain] = explode("\0", (string) stream_get_contents(STDIN)) + ['', ''];
if (!is_file($path)) exit(0);
// WordPress itself is not run: the configuration loads what is in this folder.
$folder = sys_get_temp_dir() . '/gatehouse-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
file_put_contents("$folder/wp-settings.php", "<?php\n");
define('ABSPATH', "$folder/");
define('SHORTINIT', true);
$_SERVER = ['HTTP_HOST' => $domain, 'SERVER_NAME' => $domain, 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SCRIPT_NAME' => '/index.php'] + $_SERVER;
// Whatever it prints, and also if it ends the program.
register_shutdown_function(function () use ($folder): void {
    while (ob_get_level() > 0) ob_end_clean();
    @unlink("$folder/wp-settings.php");
    @rmdir($folder);
    foreach (['DB_NAME', 'DB_USER', 'DB_PASSWORD'] as $each) if (!is_string(defined($each) ? constant($each) : null)) return;
    if (!function_exists('mysqli_init')) return;
    // As WordPress takes it apart: a port or a socket may follow.
    preg_match('~^(\[[^]]*\]|[^:]*)(?::(\d+))?(?::(/.*))?$~', defined('DB_HOST') ? (string) DB_HOST : 'localhost', $host);
    mysqli_report(MYSQLI_REPORT_OFF);
    $db = mysqli_init();
    $db->options(MYSQLI_OPT_CONNECT_TIMEOUT, 10);
    $isIn = @$db->real_connect($host[1] ?? 'localhost', DB_USER, DB_PASSWORD, DB_NAME, (int) ($host[2] ?? 0), ($host[3] ?? '') ?: null);
    $shown = fn (string $text) => substr((string) preg_replace('~[^A-Za-z0-9._-]~', '?', $text), 0, 64);
    $why = match (mysqli_connect_errno()) {
        1044, 1049 => 'MariaDB does not let this user into this database',
        1045, 1698 => 'MariaDB refuses this user or password',
        2002, 2003, 2005, 2006 => 'its database server does not answer',
        default => 'MariaDB reports error ' . mysqli_connect_errno(),
    };
    echo $isIn ? 'in' : 'out', "\t", $shown(DB_NAME), "\t", $shown(DB_USER), "\t", $isIn ? '' : $why, "\n";
});
ob_start();
require $path;
