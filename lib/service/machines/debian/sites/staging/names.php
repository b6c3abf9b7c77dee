<?php
// The names of a site in every form in which texts have them.

final class Names
{
    /** Domains of IDN have few characters that are not in the first plane, and those have no upper case. */
    private const LAST_WITH_CASE = 0xffff;

    /** A pattern of any of the names, without delimiters, to be used without regard to case. */
    public readonly string $any;
    /** A name ends here: neither example.organic nor example.org.test is meant. A dot that ends a sentence is none of the name. */
    public readonly string $end;
    /** @var string[] in lower case; a text without any of them and without $hidden has none of the names */
    private array $visible = [];
    /** @var string[] what base64 has where a text within it has a name */
    public readonly array $hidden;
    /** @var array<string, string> a pattern for each name */
    private array $patterns = [];
    private bool $hasOthers = false;

    /**
     * @param string[] $ascii as DNS has them, in lower case
     * @param array<string, string> $bytesOf for characters() what the character set of the texts has in their place, where that is not UTF-8
     */
    public function __construct(public readonly array $ascii, array $bytesOf = [])
    {
        $sorted = $ascii;
        usort($sorted, fn (string $one, string $other) => strlen($other) <=> strlen($one));
        foreach ($sorted as $name) {
            $labels = array_map(fn (string $label) => self::pattern($label, $bytesOf), explode('.', $name));
            $this->patterns[$name] = implode('\.', $labels);
            $this->hasOthers = $this->hasOthers || str_contains($name, 'xn--');
        }
        $this->any = $this->patterns === [] ? '(?!)' : implode('|', $this->patterns);
        $this->end = '(?![a-z0-9-]|\.[a-z0-9])';
        foreach (array_reverse($sorted) as $name) {
            if (array_filter($this->visible, fn (string $shorter) => str_contains($name, $shorter)) === []) $this->visible[] = $name;
        }
        $this->hidden = array_merge(...array_map(self::inBase64(...), $this->visible));
    }

    /** Whether the names may be in a text. Base64 is not looked into. */
    public function areIn(string $text): bool
    {
        foreach ($this->visible as $name) if (stripos($text, $name) !== false) return true;
        return $this->hasOthers && preg_match("~$this->any~i", $text) === 1;
    }

    public function isOne(string $text): bool
    {
        return preg_match("~^(?:$this->any)$~Di", $text) === 1;
    }

    /** The name, as DNS has it, of which a text is one form. */
    public function nameOf(string $found): string
    {
        foreach ($this->patterns as $name => $pattern) if (preg_match("~^(?:$pattern)$~Di", $found) === 1) return $name;
        return strtolower($found);
    }

    /** How a text still has the names: `address`, `mail`, `text`, `base64`. Names that only end like them, such as those of a staging copy, are others. @return string[] */
    public function kindsIn(string $text): array
    {
        $kinds = [];
        foreach ($this->hidden as $fragment) if (str_contains($text, $fragment)) $kinds['base64'] = 'base64';
        if (!$this->areIn($text)) return $kinds;
        $before = '(?:^|(?<=%2f)|(?<=%40)|(?<=\\\\[bfnrt])|(?<=[^a-z0-9.-]))';
        preg_match_all("~$before(?:$this->any)$this->end~i", $text, $found, PREG_OFFSET_CAPTURE);
        foreach ($found[0] as [, $at]) {
            $start = strtolower(substr($text, max(0, $at - 3), min(3, $at)));
            $kind = str_ends_with($start, '@') || $start === '%40' ? 'mail' : (str_ends_with($start, '/') || $start === '%2f' ? 'address' : 'text');
            $kinds[$kind] = $kind;
        }
        return $kinds;
    }

    /** The characters of the names that are not in ASCII, in each case, in UTF-8. @param string[] $ascii @return string[] */
    public static function characters(array $ascii): array
    {
        $found = [];
        foreach ($ascii as $name) foreach (explode('.', $name) as $label) {
            foreach (self::split(self::decode($label)) as $character) if (strlen($character) > 1) array_push($found, ...self::cases($character));
        }
        return array_values(array_unique($found));
    }

    private static function pattern(string $label, array $bytesOf): string
    {
        $decoded = self::decode($label);
        if ($decoded === $label) return preg_quote($label, '~');
        $pattern = '';
        foreach (self::split($decoded) as $character) {
            if (strlen($character) === 1) {
                $pattern .= preg_quote($character, '~');
                continue;
            }
            $forms = [];
            foreach (self::cases($character) as $each) array_push($forms, ...self::forms($each, $bytesOf[$each] ?? $each));
            $pattern .= '(?:' . implode('|', array_unique($forms)) . ')';
        }
        return '(?:' . preg_quote($label, '~') . "|$pattern)";
    }

    /** @return string[] patterns of one character: plain, percent-encoded once or twice, and as JSON and HTML escape it */
    private static function forms(string $character, string $bytes): array
    {
        $number = self::number($character);
        $percent = implode('', array_map(fn (string $byte) => sprintf('%%(?:25)?%02x', ord($byte)), str_split($character)));
        $units = $number > 0xffff ? [0xd800 + (($number - 0x10000) >> 10), 0xdc00 + ($number & 0x3ff)] : [$number];
        $escaped = implode('', array_map(fn (int $unit) => sprintf('\\\\+u%04x', $unit), $units));
        $entity = htmlentities($character, ENT_QUOTES | ENT_HTML5, 'UTF-8');
        return [
            ...[preg_quote($character, '~'), preg_quote($bytes, '~'), $percent, $escaped, "&#0*$number;", sprintf('&#x0*%x;', $number)],
            ...($entity === $character ? [] : [preg_quote($entity, '~')]),
        ];
    }

    /** @return string[] a character in upper and lower case, as PCRE knows them: not each PHP has mbstring */
    private static function cases(string $character): array
    {
        static $all = null;
        $all ??= implode('', array_map(self::character(...), [...range(0x80, 0xd7ff), ...range(0xe000, self::LAST_WITH_CASE)]));
        preg_match_all('~' . preg_quote($character, '~') . '~iu', $all, $found);
        return array_values(array_unique([$character, ...$found[0]]));
    }

    private static function character(int $number): string
    {
        if ($number < 0x80) return chr($number);
        if ($number < 0x800) return chr(0xc0 | $number >> 6) . chr(0x80 | $number & 0x3f);
        if ($number < 0x10000) return chr(0xe0 | $number >> 12) . chr(0x80 | $number >> 6 & 0x3f) . chr(0x80 | $number & 0x3f);
        return chr(0xf0 | $number >> 18) . chr(0x80 | $number >> 12 & 0x3f) . chr(0x80 | $number >> 6 & 0x3f) . chr(0x80 | $number & 0x3f);
    }

    private static function number(string $character): int
    {
        $number = ord($character[0]) & [2 => 0x1f, 3 => 0x0f, 4 => 0x07][strlen($character)];
        for ($at = 1; $at < strlen($character); $at++) $number = $number << 6 | ord($character[$at]) & 0x3f;
        return $number;
    }

    /** @return string[] */
    private static function split(string $text): array
    {
        return preg_split('~~u', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [$text];
    }

    /** A label as people write it (RFC 3492), as it is where it is none of IDN. */
    private static function decode(string $label): string
    {
        if (!str_starts_with($label, 'xn--')) return $label;
        $code = substr($label, 4);
        $split = strrpos($code, '-');
        $points = $split ? array_map(ord(...), str_split(substr($code, 0, $split))) : [];
        [$number, $position, $bias, $at] = [0x80, 0, 72, $split ? $split + 1 : 0];
        while ($at < strlen($code)) {
            $former = $position;
            $weight = 1;
            for ($k = 36; ; $k += 36) {
                $digit = strpos('abcdefghijklmnopqrstuvwxyz0123456789', $code[$at++] ?? '-');
                if ($digit === false || $position > 0xffffff) return $label;
                $position += $digit * $weight;
                $limit = max(1, min(26, $k - $bias));
                if ($digit < $limit) break;
                $weight *= 36 - $limit;
            }
            $count = count($points) + 1;
            $delta = intdiv($position - $former, $former === 0 ? 700 : 2);
            $delta += intdiv($delta, $count);
            for ($bias = 0; $delta > 455; $bias += 36) $delta = intdiv($delta, 35);
            $bias += intdiv(36 * $delta, $delta + 38);
            $number += intdiv($position, $count);
            $position %= $count;
            if ($number > 0x10ffff) return $label;
            array_splice($points, $position++, 0, [$number]);
        }
        return implode('', array_map(self::character(...), $points));
    }

    /** What is the same of a text in base64 whatever is before and after it, for each of the three places where it may begin. @return string[] */
    private static function inBase64(string $text): array
    {
        $found = [];
        foreach ([0, 2, 3] as $before => $skipped) {
            $whole = intdiv(8 * ($before + strlen($text)), 6);
            $found[] = substr(base64_encode(str_repeat("\0", $before) . $text), $skipped, $whole - $skipped);
        }
        return $found;
    }
}
