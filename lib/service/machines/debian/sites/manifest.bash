# What a backup says of itself. An archive may come from anywhere: values are numbers and plain words.
source sites/backup-files.bash

# former_name: how the site was called when the backup was made; nothing if the backup does not say.
former_name() { value_of name | grep -xE '[a-z][a-z0-9]{0,31}' || true; }

# Reads the manifest of a backup: `value_of KEY` says what is in it.
read_manifest() { archive_manifest=$(expand_as "$2" <"$1" 2>/dev/null | tar -xOf - --occurrence=1 manifest 2>/dev/null | head -c 4096 | tr -cd '[:print:]\n') || true; }
value_of() { sed -n "s/^$1 //p" <<<"$archive_manifest" | head -n 1; }
aliases_in_manifest() { value_of aliases | grep -xE '[a-z0-9. -]+' || true; }
