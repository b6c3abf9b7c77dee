<?php
// Installs DokuWiki as its installer does: settings, an administrator, and reading for everybody. Standard input: address, domain, title,
// administrator, password and more, each ended by a null byte. The last line says `installed`.
[, $domain, $title, $user, $password] = explode("\0", stream_get_contents(STDIN));

umask(0027);
$literal = fn (string $text): string => "'" . addcslashes($text, "\\'") . "'";
$files = [
    'conf/local.php' => "<?php\n"
        . "\$conf['title'] = " . $literal($title) . ";\n"
        . "\$conf['lang'] = 'en';\n"
        . "\$conf['license'] = '0';\n"
        . "\$conf['basedir'] = '/';\n"
        // Debian keeps the pages of all wikis of a server in one folder.
        . "\$conf['savedir'] = './data';\n"
        . "\$conf['useacl'] = 1;\n"
        . "\$conf['superuser'] = '@admin';\n"
        . "\$conf['disableactions'] = 'register';\n",
    'conf/users.auth.php' => "# users.auth.php\n# <?php exit()?>\n# Don't modify the lines above\n#\n\n"
        . implode(':', [$user, password_hash($password, PASSWORD_BCRYPT), 'Administrator', "$user@$domain", 'admin,user']) . "\n",
    'conf/acl.auth.php' => "# acl.auth.php\n# <?php exit()?>\n# Don't modify the lines above\n#\n\n*\t@ALL\t1\n*\t@user\t8\n",
    'conf/plugins.local.php' => "<?php\n\$plugins['authad'] = 0;\n\$plugins['authldap'] = 0;\n\$plugins['authpdo'] = 0;\n",
];
// Debian 13 leaves it out, and DokuWiki warns of that at each request.
$versions = 'lib/scripts/jquery/versions';
if (!is_file($versions)) {
    is_dir(dirname($versions)) || mkdir(dirname($versions), 0755, true);
    $files[$versions] = "# jQuery is that of the package.\n";
}
foreach ($files as $path => $text) {
    if (file_put_contents($path, $text) !== strlen($text)) {
        fwrite(STDERR, "$path could not be written.\n");
        exit(1);
    }
}
foreach (['attic', 'cache', 'index', 'locks', 'log', 'media', 'media_attic', 'media_meta', 'meta', 'pages', 'tmp'] as $folder) {
    if (!is_dir("data/$folder") && !mkdir("data/$folder", 0750, true)) {
        fwrite(STDERR, "data/$folder could not be made.\n");
        exit(1);
    }
}

// Its own programs have to find all their parts before anybody is served.
$_SERVER += ['HTTP_HOST' => $domain, 'SERVER_NAME' => $domain, 'REQUEST_URI' => '/', 'SCRIPT_NAME' => '/doku.php', 'REMOTE_ADDR' => '127.0.0.1'];
define('NOSESSION', true);
define('DOKU_INC', getcwd() . '/');
require DOKU_INC . 'inc/init.php';
foreach (['GeSHi', 'SimplePie'] as $part) {
    if (!class_exists($part)) {
        fwrite(STDERR, "DokuWiki lacks its part $part.\n");
        exit(1);
    }
}
echo "installed\n";
