# The tables of a site's database. Values: the site's name. Prints for each: name in hexadecimal, bytes, rows as MariaDB estimates them.
# Exit code 67: the site is not here.
source sites/logins.bash
source sites/site.bash

mapfile -d '' -t values
name_site '' "${values[0]}" '' ''
[[ -e $settings/site ]] || exit 67
sql_about "$name" <<END
SELECT HEX(table_name), COALESCE(data_length + index_length, 0), COALESCE(table_rows, 0)
FROM information_schema.tables WHERE table_schema = '$name' ORDER BY table_name;
END
