# Tables of sites: which of them belong together, and what is noted of each when it is copied. Names are in hexadecimal.
source sites/site.bash

# table_name HEX: for messages.
table_name() {
  local named
  decode_name "$1"
  printf '%s' "$named"
}

# quoted HEX: the name as SQL has it.
quoted() {
  local named
  decode_name "$1"
  printf '`%s`' "${named//\`/\`\`}"
}

# base_tables DATABASE
base_tables() { sql <<<"SELECT HEX(table_name) FROM information_schema.tables WHERE table_schema = '$1' AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY table_name"; }
views() { sql <<<"SELECT HEX(table_name) FROM information_schema.views WHERE table_schema = '$1' ORDER BY table_name"; }

# table_links DATABASE: pairs that a foreign key, a trigger or a view joins. Of triggers only their text says which tables they use.
table_links() {
  sql <<END
SELECT HEX(table_name), HEX(referenced_table_name) FROM information_schema.referential_constraints
WHERE constraint_schema = '$1' AND unique_constraint_schema = '$1' AND table_name <> referenced_table_name;
SELECT HEX(t.event_object_table), HEX(o.table_name) FROM information_schema.triggers t
JOIN information_schema.tables o ON o.table_schema = '$1' AND o.table_name <> t.event_object_table
WHERE t.trigger_schema = '$1' AND t.action_statement RLIKE CONCAT('(?i)(?<![[:alnum:]_\$])\\\\Q', o.table_name, '\\\\E(?![[:alnum:]_\$])');
SELECT HEX(v.table_name), HEX(o.table_name) FROM information_schema.views v
JOIN information_schema.tables o ON o.table_schema = '$1' AND o.table_name <> v.table_name
WHERE v.table_schema = '$1' AND INSTR(v.view_definition, CONCAT('\`$1\`.\`', REPLACE(o.table_name, '\`', '\`\`'), '\`')) > 0;
END
}

# groups DATABASE: one line for each group of tables and views that belong together.
groups() {
  table_links "$1" | awk -F '\t' '
    function root(each) { while (up[each] != each) each = up[each]; return each }
    { for (at = 1; at <= 2; at++) if (!($at in up)) up[$at] = $at; one = root($1); other = root($2); if (one != other) up[one] = other }
    END { for (each in up) { first = root(each); members[first] = members[first] (first in members ? " " : "") each } for (each in members) print members[each] }'
}

# partners DATABASE: a table, a tab and its partners with spaces between, for each that has some. Views are nobody's choice.
partners() {
  awk 'NR == FNR { base[$1]; next }
    { for (one = 1; one <= NF; one++) if ($one in base) {
        list = ""
        for (other = 1; other <= NF; other++) if (other != one && $other in base) list = list (list == "" ? "" : " ") $other
        if (list != "") print $one "\t" list } }' <(base_tables "$1"; echo -) <(groups "$1")
}

# measure_table LOGIN DATABASE HEX: its rows, its highest key in hexadecimal (- without one), its checksum.
measure_table() {
  local table column highest="'-'" answers
  table="\`$2\`.$(quoted "$3")"
  column=$(sql <<<"SELECT HEX(column_name) FROM information_schema.key_column_usage WHERE table_schema = '$2' AND constraint_name = 'PRIMARY' AND table_name = CONVERT(X'$3' USING utf8mb4)")
  [[ ! $column =~ ^[0-9A-F]+$ ]] || highest="COALESCE(HEX(MAX($(quoted "$column"))), '-')"
  answers=$(sql_as "$1" <<<"SELECT COUNT(*), $highest FROM $table; CHECKSUM TABLE $table")
  printf '%s\t%s\n' "$(sed -n 1p <<<"$answers")" "$(sed -n '2s/.*\t//p' <<<"$answers")"
}

# has_changed LOGIN DATABASE HEX COUNT KEY CHECKSUM SINCE WRITTEN: whether a table differs from what was noted. Only what MariaDB knows to be written to
# before that need not be measured: what it does not know may just be forgotten.
has_changed() {
  local login=$1 database=$2 table=$3 count=$4 key=$5 checksum=$6 since=$7 written=${8%.*}
  [[ ! $written =~ ^[0-9]+$ ]] || ((written >= since)) || return 1
  [[ $(measure_table "$login" "$database" "$table") != "$count"$'\t'"$key"$'\t'"$checksum" ]]
}
