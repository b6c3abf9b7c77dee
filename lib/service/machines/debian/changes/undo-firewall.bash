# Undoes a change at once instead of when its time is up.
systemctl start "$unit.service" </dev/null && [[ ! -d $guard/saved ]]
