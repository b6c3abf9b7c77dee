# Lets a change stay: whoever runs this has logged in after it. 76: it was undone before.
hold_firewall || exit 1
[[ -d $guard/saved ]] || exit 76
disarm
