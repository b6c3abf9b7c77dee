<?php
// Installs WordPress by its own functions. Standard input: address, domain, title, administrator, password, database, its user, password and host,
// each ended by a null byte. The last line says `installed`: WordPress ends without an exit code when something is wrong.
[$address, $domain, $title, $user, $password, $database, $database_user, $database_password, $database_host] = explode("\0", stream_get_contents(STDIN));

$literal = fn (string $text): string => "'" . addcslashes($text, "\\'") . "'";
$define = fn (string $name, string $value): string => "define( '$name', " . $literal($value) . " );\n";

$config = "<?php\n"
    . $define('DB_NAME', $database)
    . $define('DB_USER', $database_user)
    . $define('DB_PASSWORD', $database_password)
    . $define('DB_HOST', $database_host)
    . $define('DB_CHARSET', 'utf8mb4')
    . $define('DB_COLLATE', '')
    . "\n";
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $salt) {
    $config .= $define($salt, base64_encode(random_bytes(48)));
}
$config .= "\n\$table_prefix = 'wp_';\n\n"
    . "define( 'WP_DEBUG', false );\n\n"
    . "if ( ! defined( 'ABSPATH' ) ) {\n\tdefine( 'ABSPATH', __DIR__ . '/' );\n}\n\n"
    . "require_once ABSPATH . 'wp-settings.php';\n";
umask(0077);
if (file_put_contents('wp-config.php', $config) !== strlen($config)) {
    fwrite(STDERR, "wp-config.php could not be written.\n");
    exit(1);
}
umask(0027);

// WordPress prints pages where it fails.
$installed = false;
ob_start();
register_shutdown_function(function () use (&$installed) {
    $said = (string) ob_get_clean();
    if ($installed) {
        echo "installed\n";
        return;
    }
    fwrite(STDERR, trim(preg_replace('/\s+/', ' ', html_entity_decode(strip_tags($said)))) . "\n");
    exit(1);
});

define('WP_INSTALLING', true);
define('WP_SITEURL', $address);
$_SERVER += ['SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/', 'HTTP_HOST' => $domain, 'SERVER_NAME' => $domain];

// It would mail the password's owner from an address that nobody reads.
function wp_new_blog_notification(): void
{
}

require './wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

// WordPress tests pretty addresses by a request to itself, which nobody answers yet. The site's virtual host serves them.
add_filter('pre_option_permalink_structure', fn () => '/%postname%/');
$result = wp_install($title, $user, "$user@$domain", true, '', wp_slash($password));
remove_all_filters('pre_option_permalink_structure');
if (!is_array($result) || empty($result['user_id'])) {
    exit(1);
}
update_option('permalink_structure', '/%year%/%monthnum%/%day%/%postname%/');
update_option('rewrite_rules', '');
wp_mkdir_p(ABSPATH . 'wp-content/uploads');
$installed = true;
