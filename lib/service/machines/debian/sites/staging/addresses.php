<?php
// Turns the addresses of one site into those of another, within a value or a file. Serialized PHP gets the lengths of its new texts, however
// deep they are nested, also within JSON and the other way round.
require_once __DIR__ . '/names.php';

final class Addresses
{
    private const MAX_NESTING = 64;
    private string $plain;
    private string $encoded;
    private string $path;
    /** How often each origin was replaced. */
    public array $origins = [];
    /** Values of which something stayed as it was, because it could not be read or written any more. */
    public int $left = 0;
    /** Whether something of the newest value stayed, because it begins as serialized PHP and cannot be read as such. */
    public bool $hasUnread = false;
    private Names $names;
    private string $scheme;
    private string $host;

    /** @param string[] $ascii the names of the one site; $origin: scheme and name of the other; $from, $to: their folders below /home */
    public function __construct(public readonly array $ascii, string $origin, public readonly string $from, private string $to)
    {
        [$this->scheme, $this->host] = explode('://', $origin, 2);
        $this->path = '~(\\\\*/home\\\\*/)' . preg_quote($from, '~') . '(?![A-Za-z0-9])~';
        $this->read(new Names($ascii));
    }

    /** The names as the next values have them. */
    public function read(Names $names): void
    {
        $this->names = $names;
        $this->plain = "~(?:(https?):)?(\\\\*/\\\\*/)($names->any)$names->end~i";
        $this->encoded = "~(https?)(%3a%2f%2f|%253a%252f%252f)($names->any)$names->end~i";
    }

    /** A value of a table. */
    public function value(string $text): string
    {
        $new = $this->rewritten($text);
        if ($this->hasUnread) $this->left++;
        return $new;
    }

    /** The same, but who calls it counts what could not be read. */
    public function rewritten(string $text): string
    {
        $this->hasUnread = false;
        if (!$this->mentions($text)) return $text;
        if ($this->names->isOne($text)) return $this->host;
        $before = $this->origins;
        $new = $this->text($text, 0);
        if ($new === $text || !self::seemsSerialized($text)) return $new;
        // Whatever the site could read before, it can read after.
        if (@unserialize($text, ['allowed_classes' => false]) !== false && @unserialize($new, ['allowed_classes' => false]) === false) {
            $this->origins = $before;
            $this->hasUnread = true;
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
        return preg_replace("~(['\"])(?:{$this->names->any})\\1~i", '${1}' . $this->host . '${1}', $text) ?? $text;
    }

    public function text(string $text, int $nesting): string
    {
        if ($nesting > self::MAX_NESTING || !$this->mentions($text)) return $text;
        $new = $this->serialized($text, $nesting) ?? $this->json($text, $nesting);
        if ($new !== null) return $new;
        $before = $this->origins;
        $new = $this->simple($text);
        // Its lengths would be wrong, if it is read after all.
        if ($new === $text || preg_match('~^\s*(?:a:\d+:\{|[OCEsS]:\d+:")~', $text) !== 1) return $new;
        $this->hasUnread = true;
        $this->origins = $before;
        return $text;
    }

    private function mentions(string $text): bool
    {
        return $this->names->areIn($text) || str_contains($text, $this->from);
    }

    private function count(string $scheme, string $name): void
    {
        $origin = strtolower($scheme) . '://' . $this->names->nameOf($name);
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
