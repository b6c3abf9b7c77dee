# What MariaDB's programs say when a dump does not load, without anything that a row holds: they print the statement that failed, and quote values.

# errors_only <OUTPUT: the errors, cut.
errors_only() {
  LC_ALL=C perl -ne '
    if ($_ eq "--------------\n") { $statement = !$statement; next }
    next if $statement || !/\S/;
    s/^(ERROR (?:1062|1064|1136|1264|1265|1292|1366|1367|1406|1411|1525|1644|1690|4025) [^:]*)(: (?:You have an error in your SQL syntax|Duplicate entry))?.*/$1 . ($2 \/\/ "")/es;
    chomp;
    print substr($_, 0, 300), "\n"'
}

# name_tables FILE <DUMP: the dump; the file gets the numbers of the lines from which on it is about a table, each with its name.
name_tables() {
  LC_ALL=C perl -e '
    open my $places, ">", shift or die "$!\n";
    $places->autoflush;
    while (<STDIN>) {
      print;
      next unless /^(?:INSERT INTO|CREATE TABLE|LOCK TABLES) `((?:[^`]|``)*)`/ && $1 ne ($last // "");
      $last = $1;
      print $places "$.\t$last\n";
    }' "$1"
}

# explain_errors FILE <ERRORS: with the table that is at the line of each.
explain_errors() {
  awk -F '\t' 'FILENAME != "-" { line[++count] = $1; name[count] = $2; next }
    { table = ""
      if (match($0, / at line [0-9]+/)) for (at = 1; at <= count; at++) if (line[at] + 0 <= substr($0, RSTART + 9, RLENGTH - 9) + 0) table = name[at]
      print $0 (table == "" ? "" : " (in the table " table ")") }' "$1" -
}
