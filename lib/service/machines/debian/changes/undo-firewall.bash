# Undoes an unconfirmed change now instead of when its time is up.
systemctl start "$unit.service" </dev/null && [[ ! -d $guard/saved ]]
