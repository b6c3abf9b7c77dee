<?php
// The configuration of whatever app there is, as far as it names the live site.
require_once __DIR__ . '/addresses.php';
require_once __DIR__ . '/defines.php';

/** Prints which files these are. */
final class Configuration
{
    private const DEPTH = 3;
    private const BYTES = 1048576;

    /** $password: for the database; empty where it stays. Files are then changed as far as that is possible: nothing else depends on them. */
    public function __construct(private string $folder, private Addresses $addresses, private string $password)
    {
    }

    public function rewrite(): void
    {
        $skipped = fn (SplFileInfo $file) => !$file->isLink() && !($file->isDir() && preg_match('~^(?:cache|uploads|vendor|node_modules|\.git)$~', $file->getFilename()));
        $files = new RecursiveIteratorIterator(
            new RecursiveCallbackFilterIterator(new RecursiveDirectoryIterator($this->folder, FilesystemIterator::SKIP_DOTS), $skipped),
            RecursiveIteratorIterator::LEAVES_ONLY,
            RecursiveIteratorIterator::CATCH_GET_CHILD,
        );
        $files->setMaxDepth(self::DEPTH);
        foreach ($files as $file) {
            if ($file->isFile() && $file->getSize() <= self::BYTES && preg_match('~^\.env(?:\..*)?$|\.(?:php|inc|ini|ya?ml|json|xml|conf|cfg|neon)$~i', $file->getFilename())) {
                $this->rewriteFile($file->getPathname());
            }
        }
    }

    private function rewriteFile(string $path): void
    {
        $text = (string) file_get_contents($path);
        $isKnown = preg_match('~(?:^|/)(?:wp-config\.php|conf/local[^/]*\.php)$~', $path) === 1;
        if (!$isKnown && !preg_match('~(?<![A-Za-z0-9])' . preg_quote($this->addresses->from, '~') . '(?![A-Za-z0-9])~', $text)) return;
        $relative = substr($path, strlen($this->folder));
        $isRestored = $this->password === '';
        if (!$isRestored && !preg_match('~^[A-Za-z0-9._/-]+$~', $relative)) throw new RuntimeException("The file $relative names the site's database. Give it a plain name.");
        $new = $this->addresses->configuration($text);
        if (!$isRestored && basename($path) === 'wp-config.php') $new = $this->setPassword($new);
        if ($new !== $text) $this->replace($path, $new, !$isRestored);
        echo "own\t$relative\n";
    }

    /** Of several literals the one that PHP takes: the first for this database, or else the first. Whether the app gets in is tried afterwards. */
    private function setPassword(string $text): string
    {
        $literal = Defines::of($text, 'DB_PASSWORD')[0] ?? null;
        if ($literal === null) return $text;
        echo "password\n";
        return Defines::put($text, $literal, $this->password);
    }

    private function replace(string $path, string $text, bool $must): void
    {
        $aside = dirname($path) . '/.gatehouse-' . bin2hex(random_bytes(6)) . '.php';
        if (file_put_contents($aside, $text) !== strlen($text) || !chmod($aside, fileperms($path) & 07777) || !rename($aside, $path)) {
            @unlink($aside);
            if (!$must) return;
            throw new RuntimeException("$path could not be written.");
        }
    }
}
