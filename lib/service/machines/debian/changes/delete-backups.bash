# Deletes backups. Values: names of files in their folder. Names that are already gone or are not plain files there are skipped.
mapfile -d '' -t values
cd /var/backups/gatehouse 2>/dev/null || exit 0
failed=0
for name in "${values[@]}"; do
  [[ $name != */* && $name != .* && -f $name && ! -L $name ]] || continue
  rm -f -- "./$name" || failed=1
  rm -f -- "./.$name.proven" "./.$name.lacks" 2>/dev/null
done
exit "$failed"
