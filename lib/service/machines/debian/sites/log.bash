# The end of a log of a site. Values: the site's id and name, the log, the maximum number of bytes. Prints nothing of a log that does not
# exist yet. Exit codes: 67 the site is not here; 66 the log is refused, and the line `refused` says why.
source facts/log-end.bash
source sites/site.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67
file=$logs/${values[2]}.log
[[ ! -e $file && ! -L $file ]] || print_log_end "$file" "$logs" "${values[3]}"
