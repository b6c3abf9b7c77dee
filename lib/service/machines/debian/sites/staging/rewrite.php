<?php
// Put here by Gatehouse. Turns the addresses of one site into those of another, as the site's own user: in the tables of a database, and in
// the configuration of an app. Serialized PHP gets the lengths of its new texts, however deep they are nested, also within JSON and the
// other way round. What it has to know comes by standard input: values, each ended by NUL.

final class Addresses
{
    private const MAX_NESTING = 64;
    private string $plain;
    private string $encoded;
    private string $path;
    /** How often each origin was replaced. */
    public array $origins = [];
    /** Values that stayed as they were, because they could not be read or written any more. */
    public int $left = 0;
    private string $scheme;
    private string $host;

    /** @param string[] $names of the one site; $origin: scheme and name of the other; $from, $to: their folders below /home */
    public function __construct(public readonly array $names, string $origin, public readonly string $from, private string $to)
    {
        [$this->scheme, $this->host] = explode('://', $origin, 2);
        $sorted = $names;
        usort($sorted, fn (string $one, string $other) => strlen($other) <=> strlen($one));
        $any = implode('|', array_map(fn (string $name) => preg_quote($name, '~'), $sorted));
        // The name ends here: neither example.organic nor example.org.test is meant. A dot that ends a sentence is none of the name.
        $end = '(?![a-z0-9-]|\.[a-z0-9])';
        $this->plain = "~(?:(https?):)?(\\\\*/\\\\*/)($any)$end~i";
        $this->encoded = "~(https?)(%3a%2f%2f|%253a%252f%252f)($any)$end~i";
        $this->path = '~(\\\\*/home\\\\*/)' . preg_quote($from, '~') . '(?![A-Za-z0-9])~';
    }

    /** A value of a table. */
    public function value(string $text): string
    {
        if (!$this->mentions($text)) return $text;
        if (in_array(strtolower($text), $this->names, true)) return $this->host;
        $before = $this->origins;
        $new = $this->text($text, 0);
        if ($new === $text || !self::seemsSerialized($text)) return $new;
        // Whatever the site could read before, it can read after.
        if (@unserialize($text, ['allowed_classes' => false]) !== false && @unserialize($new, ['allowed_classes' => false]) === false) {
            $this->origins = $before;
            $this->left++;
            return $text;
        }
        return $new;
    }

    /** Text that is neither serialized nor has a length anywhere. */
    public function simple(string $text): string
    {
        $text = preg_replace_callback($this->plain, function (array $found): string {
            if ($found[1] === '') return $found[2] . $this->host;
            $this->count($found[1], $found[3]);
            return "$this->scheme:" . $found[2] . $this->host;
        }, $text) ?? throw new RuntimeException(preg_last_error_msg());
        $text = preg_replace_callback($this->encoded, function (array $found): string {
            $this->count($found[1], $found[3]);
            return $this->scheme . $found[2] . $this->host;
        }, $text) ?? throw new RuntimeException(preg_last_error_msg());
        return preg_replace($this->path, '${1}' . $this->to, $text) ?? throw new RuntimeException(preg_last_error_msg());
    }

    /** A file of an app's configuration, in which the site's name stands for its database and its database user as well. */
    public function configuration(string $text): string
    {
        $text = preg_replace('~(?<![A-Za-z0-9])' . preg_quote($this->from, '~') . '(?![A-Za-z0-9])~', $this->to, $this->simple($text)) ?? $text;
        foreach ($this->names as $name) {
            foreach (["'", '"'] as $quote) $text = str_replace($quote . $name . $quote, $quote . $this->host . $quote, $text);
        }
        return $text;
    }

    public function text(string $text, int $nesting): string
    {
        if ($nesting > self::MAX_NESTING || !$this->mentions($text)) return $text;
        return $this->serialized($text, $nesting) ?? $this->json($text, $nesting) ?? $this->simple($text);
    }

    private function mentions(string $text): bool
    {
        foreach ($this->names as $name) if (stripos($text, $name) !== false) return true;
        return str_contains($text, $this->from);
    }

    private function count(string $scheme, string $name): void
    {
        $origin = strtolower("$scheme://$name");
        $this->origins[$origin] = ($this->origins[$origin] ?? 0) + 1;
    }

    private static function seemsSerialized(string $text): bool
    {
        return preg_match('~^\s*(?:[aOCEsS]:\d+:|[bid]:|N;|[rR]:\d)~', $text) === 1;
    }

    /** Null for what is not serialized. */
    private function serialized(string $text, int $nesting): ?string
    {
        if (!self::seemsSerialized($text)) return null;
        $body = trim($text);
        $at = 0;
        $new = $this->part($body, $at, $nesting, 0);
        if ($new === null || $at !== strlen($body)) return null;
        $start = strpos($text, $body);
        return substr($text, 0, $start) . $new . substr($text, $start + strlen($body));
    }

    /** One value of serialized PHP from $at on, which moves behind it. Null if there is none. */
    private function part(string $text, int &$at, int $nesting, int $depth): ?string
    {
        if ($depth > 4096) return null;
        switch ($text[$at] ?? '') {
            case 'N':
            case 'b':
            case 'i':
            case 'd':
            case 'r':
            case 'R':
            case 'E':
                return self::take('~\G(?:N|b:[01]|i:[+-]?\d+|d:[+-]?(?:INF|NAN|[\d.eE+-]+)|[rR]:\d+|E:\d+:"[^"]*");~', $text, $at)[0] ?? null;
            case 's':
                $content = self::content($text, $at);
                return $content === null ? null : self::asText($this->text($content, $nesting + 1));
            case 'S':
                $content = self::escaped($text, $at);
                return $content === null ? null : self::asText($this->text($content, $nesting + 1));
            case 'a':
            case 'O':
                return $this->members($text, $at, $nesting, $depth);
            case 'C':
                return $this->custom($text, $at, $nesting);
            default:
                return null;
        }
    }

    private function members(string $text, int &$at, int $nesting, int $depth): ?string
    {
        $head = self::take('~\G(?:a|O:\d+:"[^"]*"):(\d+):\{~', $text, $at);
        if ($head === null) return null;
        $parts = [$head[0]];
        for ($left = (int) $head[1]; $left > 0; $left--) {
            // Names of members stay: nobody would find them under others.
            $from = $at;
            $isKey = match ($text[$at] ?? '') {
                'i' => self::take('~\Gi:-?\d+;~', $text, $at) !== null,
                's' => self::content($text, $at) !== null,
                'S' => self::escaped($text, $at) !== null,
                default => false,
            };
            if (!$isKey) return null;
            $parts[] = substr($text, $from, $at - $from);
            $value = $this->part($text, $at, $nesting, $depth + 1);
            if ($value === null) return null;
            $parts[] = $value;
        }
        if (($text[$at] ?? '') !== '}') return null;
        $at++;
        return implode('', $parts) . '}';
    }

    /** Of a class with a format of its own. It is followed only if that is serialized PHP again; otherwise it stays. */
    private function custom(string $text, int &$at, int $nesting): ?string
    {
        $head = self::take('~\G(C:\d+:"[^"]*"):(\d+):\{~', $text, $at);
        if ($head === null) return null;
        $length = (int) $head[2];
        $content = substr($text, $at, $length);
        if (strlen($content) !== $length || ($text[$at + $length] ?? '') !== '}') return null;
        $at += $length + 1;
        $new = $this->serialized($content, $nesting + 1) ?? $content;
        return $head[1] . ':' . strlen($new) . ':{' . $new . '}';
    }

    private static function take(string $pattern, string $text, int &$at): ?array
    {
        if (preg_match($pattern, $text, $found, 0, $at) !== 1) return null;
        $at += strlen($found[0]);
        return $found;
    }

    /** The bytes of s:5:"bytes"; whatever they are. */
    private static function content(string $text, int &$at): ?string
    {
        $start = $at;
        $head = self::take('~\Gs:(\d+):"~', $text, $at);
        if ($head !== null) {
            $length = (int) $head[1];
            if (substr($text, $at + $length, 2) === '";') {
                $content = substr($text, $at, $length);
                $at += $length + 2;
                return $content;
            }
        }
        $at = $start;
        return null;
    }

    /** The bytes of S:5:"…"; in which a backslash and two digits are one byte. */
    private static function escaped(string $text, int &$at): ?string
    {
        $start = $at;
        $head = self::take('~\GS:(\d+):"~', $text, $at);
        if ($head === null) return null;
        $content = '';
        for ($left = (int) $head[1]; $left > 0; $left--) {
            $byte = $text[$at] ?? '';
            if ($byte === '') break;
            if ($byte === '\\') {
                $digits = substr($text, $at + 1, 2);
                if (!ctype_xdigit($digits) || strlen($digits) !== 2) break;
                $content .= chr((int) hexdec($digits));
                $at += 3;
            } else {
                $content .= $byte;
                $at++;
            }
        }
        if ($left === 0 && substr($text, $at, 2) === '";') {
            $at += 2;
            return $content;
        }
        $at = $start;
        return null;
    }

    private static function asText(string $content): string
    {
        return 's:' . strlen($content) . ':"' . $content . '";';
    }

    /** Null for what is not JSON. JSON has no lengths, so its texts are only taken apart where something in them has. */
    private function json(string $text, int $nesting): ?string
    {
        if (!in_array(ltrim($text)[0] ?? '', ['{', '[', '"'], true)) return null;
        json_decode($text);
        if (json_last_error() !== JSON_ERROR_NONE) return null;
        return preg_replace_callback('~"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"~s', function (array $found) use ($nesting): string {
            $content = json_decode($found[0]);
            if (!is_string($content) || !preg_match('~[aOCsS]:\d+:~', $content)) return $this->simple($found[0]);
            $new = $this->text($content, $nesting + 1);
            if ($new === $content) return $found[0];
            return self::literal($new, $found[0]);
        }, $text);
    }

    /** A text as JSON, written as the one that it replaces was. */
    private static function literal(string $text, string $former): string
    {
        $hasSlashes = str_contains((string) preg_replace('~\\\\.~s', '', $former), '/');
        $hasLetters = preg_match('~[\x80-\xff]~', $former) === 1;
        return json_encode($text, ($hasSlashes ? JSON_UNESCAPED_SLASHES : 0) | ($hasLetters ? JSON_UNESCAPED_UNICODE : 0)) ?: $former;
    }
}

/** The tables of one database, row by row in the order of a key, so that no table has to fit into memory. */
final class Tables
{
    private const ROWS = 100;
    /** Duplicate key, too long, a constraint. */
    private const REFUSED = [1062, 1406, 4025];

    public int $rows = 0;

    public function __construct(private mysqli $db, private string $database, private Addresses $addresses)
    {
    }

    public function rewrite(): void
    {
        $tables = $this->ask("SELECT table_name FROM information_schema.tables WHERE table_schema = ? AND table_type <> 'VIEW'", [$this->database]);
        foreach ($tables as [$table]) $this->rewriteTable($table);
    }

    private function rewriteTable(string $table): void
    {
        $texts = [];
        $kept = [];
        $columns = $this->ask(
            'SELECT column_name, data_type, extra FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position',
            [$this->database, $table],
        );
        foreach ($columns as [$name, $type, $extra]) {
            if (stripos($extra, 'GENERATED') !== false) continue;
            if (preg_match('~^(?:char|varchar|(?:tiny|medium|long)?text|json)$~i', $type)) $texts[$name] = false;
            if (preg_match('~^(?:varbinary|(?:tiny|medium|long)?blob)$~i', $type)) $texts[$name] = true;
            // A time that MariaDB sets by itself stays what it was.
            if (stripos($extra, 'on update') !== false) $kept[] = self::quote($name) . ' = ' . self::quote($name);
        }
        if ($texts === []) return;
        $key = $this->keyOf($table);
        if ($key === []) $this->byValue($table, $texts, $kept);
        else $this->byKey($table, $key, $texts, $kept);
    }

    /** @return string[] the columns that tell rows apart: the primary key, else another one without NULL */
    private function keyOf(string $table): array
    {
        $keys = [];
        $unfit = [];
        $parts = $this->ask(
            "SELECT index_name, column_name, nullable, sub_part FROM information_schema.statistics
            WHERE table_schema = ? AND table_name = ? AND non_unique = 0 ORDER BY index_name = 'PRIMARY' DESC, index_name, seq_in_index",
            [$this->database, $table],
        );
        foreach ($parts as [$index, $column, $nullable, $part]) {
            $keys[$index][] = $column;
            if ($nullable === 'YES' || $part !== null || $column === null) $unfit[$index] = true;
        }
        foreach ($keys as $index => $columns) if (!isset($unfit[$index])) return $columns;
        return [];
    }

    private function byKey(string $table, array $key, array $texts, array $kept): void
    {
        $names = array_keys($texts);
        [$mentions, $words] = $this->mentions($names);
        $columns = implode(', ', array_map(self::quote(...), [...$key, ...$names]));
        $order = implode(', ', array_map(self::quote(...), $key));
        $after = null;
        do {
            [$beyond, $bounds] = $after === null ? ['', []] : self::beyond($key, $after);
            $rows = $this->ask("SELECT $columns FROM " . self::quote($table) . " WHERE ($mentions)$beyond ORDER BY $order LIMIT " . self::ROWS, [...$words, ...$bounds]);
            foreach ($rows as $row) {
                $after = array_slice($row, 0, count($key));
                $this->change($table, array_combine($names, array_slice($row, count($key))), $texts, $kept, $key, $after);
            }
        } while (count($rows) === self::ROWS);
    }

    /** @param array<string, ?string> $values by column */
    private function change(string $table, array $values, array $texts, array $kept, array $key, array $id): void
    {
        $sets = $kept;
        $new = [];
        foreach ($values as $name => $value) {
            if ($value === null || ($changed = $this->addresses->value($value)) === $value) continue;
            $sets[] = self::quote($name) . ($texts[$name] ? ' = CAST(? AS BINARY)' : ' = ?');
            $new[] = $changed;
        }
        if ($new === []) return;
        $where = implode(' AND ', array_map(fn (string $name) => self::quote($name) . ' = ?', $key));
        $this->write('UPDATE ' . self::quote($table) . ' SET ' . implode(', ', $sets) . " WHERE $where", [...$new, ...$id]);
    }

    /** A table without a key: each different value once, wherever it stands. */
    private function byValue(string $table, array $texts, array $kept): void
    {
        foreach ($texts as $name => $isBinary) {
            [$mentions, $words] = $this->mentions([$name]);
            $column = self::quote($name);
            $exact = $isBinary ? $column : "CONVERT($column USING utf8mb4) COLLATE utf8mb4_nopad_bin";
            foreach ($this->ask("SELECT DISTINCT $exact FROM " . self::quote($table) . " WHERE $mentions", $words) as [$value]) {
                $new = $this->addresses->value($value);
                if ($new === $value) continue;
                $given = $isBinary ? 'CAST(? AS BINARY)' : '?';
                $this->write('UPDATE ' . self::quote($table) . ' SET ' . implode(', ', [...$kept, "$column = $given"]) . " WHERE $exact = $given", [$new, $value]);
            }
        }
    }

    private function write(string $sql, array $values): void
    {
        try {
            $statement = $this->db->prepare($sql);
            $statement->execute($values);
            $this->rows += $statement->affected_rows;
            $statement->close();
        } catch (mysqli_sql_exception $refusal) {
            if (!in_array($refusal->getCode(), self::REFUSED, true)) throw $refusal;
            $this->addresses->left++;
        }
    }

    /** @return array{string, string[]} */
    private function mentions(array $columns): array
    {
        $words = [...$this->addresses->names, $this->addresses->from];
        $conditions = [];
        $values = [];
        foreach ($columns as $column) {
            foreach ($words as $word) {
                $conditions[] = 'INSTR(' . self::quote($column) . ', ?) > 0';
                $values[] = $word;
            }
        }
        return [implode(' OR ', $conditions), $values];
    }

    /** @return array{string, string[]} rows after one, in the order of a key of any number of columns */
    private static function beyond(array $key, array $after): array
    {
        $ways = [];
        $values = [];
        foreach ($key as $at => $column) {
            $same = array_map(fn (string $earlier) => self::quote($earlier) . ' = ?', array_slice($key, 0, $at));
            $ways[] = '(' . implode(' AND ', [...$same, self::quote($column) . ' > ?']) . ')';
            array_push($values, ...array_slice($after, 0, $at + 1));
        }
        return [' AND (' . implode(' OR ', $ways) . ')', $values];
    }

    /** @return list<list<?string>> */
    private function ask(string $sql, array $values): array
    {
        $statement = $this->db->prepare($sql);
        $statement->execute($values);
        $rows = $statement->get_result()->fetch_all(MYSQLI_NUM);
        $statement->close();
        return $rows;
    }

    private static function quote(string $name): string
    {
        return '`' . str_replace('`', '``', $name) . '`';
    }
}

/** The configuration of whatever app there is, as far as it names the live site. Prints which files these are. */
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

    private function setPassword(string $text): string
    {
        $define = '~(\bdefine\s*\(\s*([\'"])DB_PASSWORD\2\s*,\s*)(\'(?:[^\'\\\\]|\\\\.)*\'|"(?:[^"\\\\]|\\\\.)*")~s';
        $new = preg_replace_callback($define, fn (array $found) => $found[1] . "'" . addcslashes($this->password, "\\'") . "'", $text, 1, $count);
        if ($new === null || $count !== 1) return $text;
        echo "password\n";
        return $new;
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
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    // The database is named as its user is.
    $db = new mysqli('localhost', $second, $third, $second, 0, $first);
    $db->set_charset('utf8mb4');
    $db->query("SET SESSION sql_mode = 'STRICT_ALL_TABLES', foreign_key_checks = 0");
    $tables = new Tables($db, $second, $addresses);
    $tables->rewrite();
    echo "rows\t$tables->rows\nleft\t$addresses->left\n";
    arsort($addresses->origins);
    foreach (array_keys($addresses->origins) as $found) echo "origin\t$found\n";
}

if (realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    try {
        main();
    } catch (Throwable $failure) {
        fwrite(STDERR, 'ERROR ' . $failure->getMessage() . "\n");
        exit(1);
    }
}
