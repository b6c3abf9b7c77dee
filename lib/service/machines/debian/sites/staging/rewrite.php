<?php
// Put here by Gatehouse. Turns the addresses of one site into those of another, as the site's own user: in the tables of a database, and in
// the configuration of an app. What it has to know comes by standard input: values, each ended by NUL.
require_once __DIR__ . '/tables.php';
require_once __DIR__ . '/configuration.php';

function main(): void
{
    ini_set('pcre.jit', '0');
    ini_set('pcre.backtrack_limit', '1000000000');
    [$mode, $names, $origin, $from, $to, $first, $second, $third] = explode("\0", (string) stream_get_contents(STDIN)) + array_fill(0, 8, '');
    $addresses = new Addresses(preg_split('~\s+~', strtolower($names), -1, PREG_SPLIT_NO_EMPTY), $origin, $from, $to);
    if ($mode === 'files') {
        (new Configuration($first, $addresses, $second))->rewrite();
        return;
    }
    // The database is named as its user is.
    $tables = new Tables(Tables::connect($first, $second, $third), Tables::connect($first, $second, $third), $second, $addresses);
    $tables->rewrite();
    echo "rows\t$tables->changed\nleft\t$addresses->left\n";
    arsort($addresses->origins);
    foreach (array_keys($addresses->origins) as $found) echo "origin\t$found\n";
}

if (realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    try {
        main();
    } catch (Throwable $failure) {
        fwrite(STDERR, 'ERROR ' . Tables::why($failure) . "\n");
        exit(1);
    }
}
