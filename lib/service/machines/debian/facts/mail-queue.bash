# Postfix's mail queue as gzipped JSON lines, without the delay reasons. Values: maximum lines, maximum bytes. Exit code 69: no Postfix.
mapfile -d '' -t values
command -v postqueue >/dev/null || exit 69
postqueue -j 2>/dev/null | sed -E 's/, "delay_reason": "([^"\\]|\\.)*"//g' | head -n "${values[0]}" | head -c "${values[1]}" | gzip -c | base64 -w 0
# 141 (SIGPIPE) only means that head has reached its limit.
[[ ${PIPESTATUS[0]} == 0 || ${PIPESTATUS[0]} == 141 ]] || exit 1
