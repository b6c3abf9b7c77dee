# Undoes an unconfirmed change now instead of when its time is up.
source changes/firewall-guard.bash

systemctl start "$unit.service" </dev/null && [[ ! -d $guard/saved ]]
