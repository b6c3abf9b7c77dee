# What a job that copied or loaded data says of it. Differences are reported: visitors write meanwhile, and addresses of mail keep the domain rightly.

# report_names DOMAIN <LINES: which tables still name the domain, from lines of `named`, the table in hexadecimal, a kind and a number of rows.
report_names() {
  local each named kinds count=0
  local -A found=() said=([address]='in addresses' [mail]='in addresses of mail' [text]='in text' [base64]='in base64')
  while IFS=$'\t' read -r _ each kinds count; do found[$each]+="${found[$each]:+, }$count ${said[$kinds]}"; done < <(grep '^named' || true)
  for each in "${!found[@]}"; do
    decode_name "$each"
    echo "$named: rows still name $1: ${found[$each]}."
  done | sort | cut_list 40 tables
}

# cut_list COUNT NOUN: the first lines, and how many more there are.
cut_list() { awk -v most="$1" -v noun="$2" 'NR <= most { print } END { if (NR > most) print "… and " NR - most " more " noun "." }'; }
