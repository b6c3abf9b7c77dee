<?php
// The tables of one database. Each is read once from end to end, by a statement that sees it as it was when it began, so it matters neither how its
// keys are ordered nor how they change. No table has to fit into memory.
require_once __DIR__ . '/addresses.php';
require_once __DIR__ . '/table.php';

final class Tables
{
    /** Duplicate key, too long, a constraint. */
    private const REFUSED = [1062, 1406, 4025];
    /** Character sets whose texts are UTF-8, or of which only bytes matter. */
    private const AS_BYTES = ['', 'binary', 'ascii', 'utf8', 'utf8mb3', 'utf8mb4'];
    /** Of a packet, for the statement around a value. */
    private const STATEMENT_BYTES = 65536;

    public int $changed = 0;
    private int $packet;
    /** @var array<string, Names> by character set */
    private array $names = [];

    public function __construct(private mysqli $reading, private mysqli $writing, private string $database, private Addresses $addresses)
    {
        $this->packet = (int) $this->ask('SELECT @@max_allowed_packet', [])[0][0];
    }

    public static function connect(string $socket, string $user, string $password): mysqli
    {
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        $db = mysqli_init();
        // How many rows a statement has found, also of those that were so already.
        $db->real_connect('localhost', $user, $password, $user, 0, $socket, MYSQLI_CLIENT_FOUND_ROWS);
        $db->set_charset('utf8mb4');
        // Texts come and go as the bytes that the table has. An hour that came twice in a local time would have two rows for one key.
        $db->query("SET SESSION sql_mode = 'STRICT_ALL_TABLES', foreign_key_checks = 0, time_zone = '+00:00', net_write_timeout = 10800");
        $db->query('SET SESSION character_set_client = binary, character_set_connection = binary, character_set_results = NULL');
        return $db;
    }

    /** What is wrong, without anything that a row holds, which MariaDB quotes. */
    public static function why(Throwable $failure): string
    {
        return $failure instanceof mysqli_sql_exception ? "MariaDB reports error {$failure->getCode()}." : $failure->getMessage();
    }

    public function rewrite(): void
    {
        $tables = $this->ask(
            "SELECT table_name, engine FROM information_schema.tables WHERE table_schema = ? AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')",
            [$this->database],
        );
        foreach ($tables as [$name, $engine]) {
            $shown = substr((string) preg_replace('~[[:cntrl:]]~', ' ', $name), 0, 128);
            try {
                $this->rewriteTable($name, (string) $engine, $shown);
            } catch (Throwable $failure) {
                throw new RuntimeException("The addresses in the table $shown cannot be changed: " . self::why($failure));
            }
        }
    }

    private function rewriteTable(string $name, string $engine, string $shown): void
    {
        $columns = $this->ask(
            'SELECT column_name, data_type, extra, character_set_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position',
            [$this->database, $name],
        );
        $keys = $this->ask(
            "SELECT index_name, column_name, nullable, sub_part FROM information_schema.statistics
            WHERE table_schema = ? AND table_name = ? AND non_unique = 0 ORDER BY index_name = 'PRIMARY' DESC, index_name, seq_in_index",
            [$this->database, $name],
        );
        $table = new Table($name, $columns, $keys);
        $rows = 0;
        $named = [];
        if ($table->texts !== []) {
            // Other engines lock a table against changes while it is read.
            $buffer = $engine === 'InnoDB' ? '' : 'SQL_BUFFER_RESULT ';
            $result = $this->reading->query("SELECT $buffer{$table->selected()} FROM {$table->quoted}", MYSQLI_USE_RESULT);
            while ($row = $result->fetch_row()) {
                $rows++;
                foreach ($this->rewriteRow($table, $row) as $kind) $named[$kind] = ($named[$kind] ?? 0) + 1;
            }
            $result->free();
        }
        [[$count]] = $this->ask("SELECT COUNT(*) FROM {$table->quoted}", []);
        if ($table->texts !== [] && (int) $count !== $rows) throw new RuntimeException("$rows of its $count rows were read.");
        ksort($named);
        foreach ($named as $kind => $count) echo "named\t", bin2hex($name), "\t$kind\t$count\n";
    }

    /** Returns how the row still has the names. @return string[] */
    private function rewriteRow(Table $table, array $row): array
    {
        $key = $table->keyOf($row);
        $named = [];
        $changes = [];
        foreach ($table->texts as $column => $charset) {
            $value = $row[$table->placeOf($column)];
            if ($value === null || $value === '') continue;
            [$new, $form] = $this->changed($value, $charset);
            if ($new !== $value) $changes[$column] = [$new, $form, $value];
            foreach ($this->namesOf($charset)->kindsIn($new) as $kind) $named[$kind] = $kind;
        }
        if ($changes === []) return $named;
        // Without a key: the value wherever it stands.
        $groups = $key === null ? array_map(fn (string $column) => [$column => $changes[$column]], array_keys($changes)) : [$changes];
        foreach ($groups as $group) {
            if (!$this->write($table, $group, $key)) foreach ($group as [, , $former]) foreach ($this->names['']->kindsIn($former) as $kind) $named[$kind] = $kind;
        }
        return $named;
    }

    /** @return array{string, bool} a value with other addresses, and whether it is in UTF-8 instead of the column's character set */
    private function changed(string $value, string $charset): array
    {
        $this->addresses->read($this->namesOf($charset));
        $new = $this->addresses->rewritten($value);
        if (!$this->addresses->hasUnread) return [$new, false];
        if (!in_array($charset, self::AS_BYTES, true) && !Table::isWide($charset)) {
            // A program that reads the column as UTF-8 has written other lengths.
            [[$text]] = $this->ask("SELECT CONVERT(CONVERT(CAST(? AS BINARY) USING $charset) USING utf8mb4)", [$value]);
            $this->addresses->read($this->namesOf(''));
            $inUtf8 = $this->addresses->rewritten($text);
            if (!$this->addresses->hasUnread) return $inUtf8 === $text ? [$value, false] : [$inUtf8, true];
        }
        $this->addresses->left++;
        return [$new, false];
    }

    /** True if it could be written. */
    private function write(Table $table, array $changes, ?string $key): bool
    {
        $bytes = array_sum(array_map(fn (array $change) => strlen($change[0]) + ($key === null ? strlen($change[2]) : 0), $changes));
        $found = 0;
        try {
            if ($bytes + self::STATEMENT_BYTES < $this->packet) {
                [$sql, $values] = $table->update($changes, $key);
                $statement = $this->writing->prepare($sql);
                $statement->execute($values);
                $found = (int) $statement->affected_rows;
                $statement->close();
            }
        } catch (mysqli_sql_exception $refusal) {
            if (!in_array($refusal->getCode(), self::REFUSED, true)) throw $refusal;
            $found = -1;
        }
        if ($bytes + self::STATEMENT_BYTES >= $this->packet || $found === -1) {
            $this->addresses->left++;
            return false;
        }
        if ($key !== null && $found !== 1) throw new RuntimeException("$found rows have the key of one.");
        $this->changed += $found;
        return true;
    }

    private function namesOf(string $charset): Names
    {
        if (in_array($charset, self::AS_BYTES, true) || Table::isWide($charset)) $charset = '';
        return $this->names[$charset] ??= new Names($this->addresses->ascii, $charset === '' ? [] : $this->bytesIn($charset));
    }

    /** @return array<string, string> */
    private function bytesIn(string $charset): array
    {
        $found = [];
        foreach (Names::characters($this->addresses->ascii) as $character) {
            [[$hex]] = $this->ask("SELECT HEX(CONVERT(CONVERT(CAST(? AS BINARY) USING utf8mb4) USING $charset))", [$character]);
            // A character that the set lacks is a question mark.
            if ($hex !== '3F') $found[$character] = (string) hex2bin($hex);
        }
        return $found;
    }

    /** @return list<list<?string>> */
    private function ask(string $sql, array $values): array
    {
        $statement = $this->writing->prepare($sql);
        $statement->execute($values);
        $rows = $statement->get_result()->fetch_all(MYSQLI_NUM);
        $statement->close();
        return $rows;
    }
}
