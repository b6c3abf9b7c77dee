<?php
// One table as statements see it: its texts, and a key by which a row is found again exactly.

final class Table
{
    private const NUMBERS = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'decimal', 'year', 'bit', 'enum', 'set'];
    private const BYTES = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'];
    private const PLAIN = ['date', 'datetime', 'timestamp', 'time', 'inet4', 'inet6', 'uuid'];

    public readonly string $quoted;
    /** @var array<string, string> the character set of each column of text, empty for bytes */
    public readonly array $texts;
    /** @var string[] columns that MariaDB sets to the present time with each change: they stay what they were */
    private array $kept = [];
    /** @var array<string, array{string, string}> the type and character set of each column of the key; empty without a key */
    private array $key = [];
    private array $places;

    /** $columns: rows of name, type, extra and character set; $keys: of the unique keys, rows of index, column, nullable and sub_part */
    public function __construct(string $name, array $columns, array $keys)
    {
        $this->quoted = self::quote($name);
        $types = [];
        $texts = [];
        foreach ($columns as [$column, $type, $extra, $charset]) {
            $types[$column] = [strtolower($type), strtolower((string) $charset)];
            if (stripos($extra, 'GENERATED') !== false) continue;
            if (preg_match('~^(?:(?:var)?char|(?:tiny|medium|long)?text|json|varbinary|(?:tiny|medium|long)?blob)$~i', $type)) $texts[$column] = strtolower((string) $charset);
            if (stripos($extra, 'on update') !== false) $this->kept[] = $column;
        }
        $this->texts = $texts;
        $this->places = array_flip(array_keys($texts));
        foreach (self::suitable($keys, $types) as $column) $this->key[$column] = $types[$column];
    }

    /** Two or four bytes for each character, so that nothing can be found in them. */
    public static function isWide(string $charset): bool
    {
        return preg_match('~^(?:ucs2|utf16(?:le)?|utf32)$~', $charset) === 1;
    }

    /** The texts, then the key. */
    public function selected(): string
    {
        $texts = array_map(fn (string $column) => self::isWide($this->texts[$column]) ? 'CONVERT(' . self::quote($column) . ' USING utf8mb4)' : self::quote($column), array_keys($this->texts));
        $key = array_map(fn (string $column) => self::quote($column) . self::asNumber($this->key[$column][0]), array_keys($this->key));
        return implode(', ', [...$texts, ...$key]);
    }

    public function placeOf(string $column): int
    {
        return $this->places[$column];
    }

    /** A condition that only this row meets; null without a key. */
    public function keyOf(array $row): ?string
    {
        if ($this->key === []) return null;
        $conditions = [];
        $at = count($this->texts);
        foreach ($this->key as $column => [$type, $charset]) $conditions[] = self::quote($column) . ' = ' . self::literal((string) $row[$at++], $type, $charset);
        return implode(' AND ', $conditions);
    }

    /** @param array<string, array{string, bool, string}> $changes by column: its new value, whether that is in UTF-8, its former value. @return array{string, string[]} */
    public function update(array $changes, ?string $key): array
    {
        $sets = array_map(fn (string $column) => self::quote($column) . ' = ' . self::quote($column), $this->kept);
        $values = [];
        foreach ($changes as $column => [$new, $isUtf8]) {
            $charset = $this->texts[$column];
            $given = 'CAST(? AS BINARY)';
            if ($isUtf8 || self::isWide($charset)) $given = "CONVERT($given USING utf8mb4)";
            $sets[] = self::quote($column) . ' = ' . ($charset === '' ? $given : "CONVERT($given USING $charset)");
            $values[] = $new;
        }
        if ($key === null) {
            [$column, [, , $former]] = [array_key_first($changes), reset($changes)];
            $read = self::isWide($this->texts[$column]) ? 'CONVERT(' . self::quote($column) . ' USING utf8mb4)' : self::quote($column);
            $key = "CAST($read AS BINARY) = CAST(? AS BINARY)";
            $values[] = $former;
        }
        return ["UPDATE $this->quoted SET " . implode(', ', $sets) . " WHERE $key", $values];
    }

    /** The columns of the first key without NULL whose types can be compared exactly. @return string[] */
    private static function suitable(array $keys, array $types): array
    {
        $columns = [];
        $unfit = [];
        foreach ($keys as [$index, $column, $nullable, $part]) {
            $columns[$index][] = $column;
            $type = $types[$column][0] ?? '';
            if ($nullable === 'YES' || $part !== null || !in_array($type, [...self::NUMBERS, 'float', 'double', ...self::BYTES, ...self::PLAIN], true)) $unfit[$index] = true;
        }
        foreach ($columns as $index => $found) if (!isset($unfit[$index])) return $found;
        return [];
    }

    /** Of ENUM and SET the number, because their texts have another order; of FLOAT all digits. */
    private static function asNumber(string $type): string
    {
        return in_array($type, self::NUMBERS, true) ? ' + 0' : ($type === 'float' || $type === 'double' ? ' + 0e0' : '');
    }

    private static function literal(string $value, string $type, string $charset): string
    {
        if (in_array($type, self::BYTES, true)) return ($charset === '' ? '' : "_$charset ") . "X'" . bin2hex($value) . "'";
        $isNumber = !in_array($type, self::PLAIN, true);
        if (!preg_match($isNumber ? '~^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$~D' : '~^[0-9a-f:. -]+$~Di', $value)) throw new RuntimeException('A key cannot be read.');
        if (!$isNumber) return "_latin1 '$value'";
        return ($type === 'float' || $type === 'double') && !str_contains($value, 'e') ? "{$value}e0" : $value;
    }

    private static function quote(string $name): string
    {
        return '`' . str_replace('`', '``', $name) . '`';
    }
}
