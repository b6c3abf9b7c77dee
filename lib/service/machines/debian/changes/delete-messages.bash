# Deletes messages from the mail queue. Values: ids, each a queue id, a dot and the arrival time. Skips ids already gone. Exit code 69: no Postfix.
mapfile -d '' -t values
command -v postsuper >/dev/null || exit 69
declare -A arrivals
while read -r queue_id arrival; do
  arrivals[$queue_id]=$arrival
done < <(postqueue -j 2>/dev/null | sed -nE 's/^\{"queue_name": "[a-z]+", "queue_id": "([0-9A-Za-z]+)", "arrival_time": ([0-9]+),.*/\1 \2/p')
for id in "${values[@]}"; do
  queue_id=${id%.*}
  [[ $queue_id =~ ^[0-9A-Za-z]{5,40}$ && ${arrivals[$queue_id]-} == "${id##*.}" ]] && printf '%s\n' "$queue_id"
done | postsuper -d -
