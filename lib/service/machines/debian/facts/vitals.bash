# The counters and usage of the server: a name, a tab and a value per line.
say() { printf '%s\t%s\n' "$1" "$2"; }

say at "${EPOCHREALTIME/[.,]/}"
# Waiting for disks does not count as busy. Guests are counted in user and nice.
read -r _ user nice system idle iowait irq softirq steal _ </proc/stat
say cpu_busy $((user + nice + system + irq + softirq + steal))
say cpu_all $((user + nice + system + irq + softirq + steal + idle + iowait))
say cores "$(getconf _NPROCESSORS_ONLN)"
say load "$(cut -d ' ' -f 1-3 /proc/loadavg)"
say mem_total "$(awk '/^MemTotal:/ { printf "%.0f", $2 * 1024 }' /proc/meminfo)"
say mem_free "$(awk '/^MemAvailable:/ { printf "%.0f", $2 * 1024 }' /proc/meminfo)"
read -r total used < <(df -B1 --output=size,used / | tail -n 1)
say disk_total "$total"
say disk_space "$used"
# Traffic between containers of the server, and with itself, would count twice.
devices=$({ ip -4 -o route show default; ip -6 -o route show default; } 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p' | sort -u)
in='' out=''
for device in $devices; do
  read -r got </sys/class/net/"$device"/statistics/rx_bytes || continue
  read -r sent </sys/class/net/"$device"/statistics/tx_bytes || continue
  in=$((in + got)) out=$((out + sent))
done 2>/dev/null
say net_in "$in"
say net_out "$out"
