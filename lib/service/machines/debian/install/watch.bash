# Streams the lines of the newest run after a given one until the run ends. Value: that line's number.
source install/run-files.bash

mapfile -d '' -t values
from=$(first_line)
((from >= values[0])) || from=${values[0]}
printf 'from\t%s\n' "$from"
[[ -e $install_home/events ]] || exit 0
pid=$(systemctl show --value -p MainPID "$install_unit")
if [[ $pid == 0 ]]; then
  exec tail -n "+$((from + 1))" "$install_home/events"
fi
exec tail -n "+$((from + 1))" -f -s 0.2 --pid="$pid" "$install_home/events"
