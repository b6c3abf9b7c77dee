# What is known of a site and its staging copy. Values: the site's id and name, the name of the copy, empty if there is none. Prints: `files` and
# their bytes; `mixed` if some tables are not InnoDB; `copy` and when the newest pull ended; for each table `table`, its name in hexadecimal,
# bytes, rows as MariaDB estimates them, `pulled` if the copy has it by a pull, `changed` if it changed since, its partners; then, as events of the host program,
# which files changed on live since the pull, if there is time to find out, or `lacking` without the program. Last value: its version. Exit code 67: the site is not here.
source host/package.bash
source host/whole.bash
source sites/logins.bash
source sites/site.bash
source sites/staging/tables.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67
copy=$sites_home/${values[2]}
sql_seconds=8
printf 'files\t%s\n' "$(timeout 10 du -sB1 -- "$home/public" 2>/dev/null | cut -f 1)"
[[ $(sql_about "$name" <<<"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '$name' AND table_type = 'BASE TABLE' AND engine <> 'InnoDB'") == 0 ]] || echo mixed
[[ -z ${values[2]} || ! -e $copy/site ]] || printf 'copy\t%s\n' "$(cat "$copy/pulled" 2>/dev/null)"
declare -A notes partners_of
login=''
if [[ -n ${values[2]} ]]; then
  while IFS=$'\t' read -r each note; do notes[$each]=$note; done < <(cat "$copy/tables" 2>/dev/null)
  if ((${#notes[@]})); then login=$(create_reader "$(reader "$name")" "$name"); fi
fi
while IFS=$'\t' read -r each list; do partners_of[$each]=$list; done < <(partners "$name")
while IFS=$'\t' read -r each bytes rows written; do
  pulled='' changed=''
  if [[ -n ${notes[$each]-} ]]; then
    pulled=pulled
    IFS=$'\t' read -r count key checksum since <<<"${notes[$each]}"
    # What there is no time to find out counts as changed.
    ((SECONDS < 12)) && ! has_changed "$login" "$name" "$each" "$count" "$key" "$checksum" "$since" "$written" || changed=changed
  fi
  printf 'table\t%s\t%s\t%s\t%s\t%s\t%s\n' "$each" "$bytes" "$rows" "$pulled" "$changed" "${partners_of[$each]-}"
done < <(sql_about "$name" <<<"SELECT HEX(table_name), COALESCE(data_length + index_length, 0), COALESCE(table_rows, 0), COALESCE(UNIX_TIMESTAMP(update_time), '-') FROM information_schema.tables WHERE table_schema = '$name' AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY table_name")
[[ -z $login ]] || drop_logins "$(reader "$name")"

print_live_changes() {
  local program=$programs_home/${values[3]}
  has_python || return 0
  is_program_whole "$program" || { echo lacking; return; }
  timeout 12 "${program_python[@]}" "$program" <<END || true
{"protocol": 1, "job": "find-live-changes", "name": "$name", "copy": "${values[2]}"}
END
}
[[ -z ${values[2]} || ! -e $copy/own-files ]] || print_live_changes
