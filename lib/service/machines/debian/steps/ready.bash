# The package system is free and in order.
cloud_init_done() {
  ! command -v cloud-init >/dev/null || [[ $(cloud-init status 2>/dev/null) != *running* ]]
}

await_first_start() {
  cloud_init_done && return
  echo 'Waiting until the first boot (cloud-init) is finished.'
  timeout 900 cloud-init status --wait || true
}

probe_ready() {
  [[ -z $(dpkg --audit) ]] && dpkg --configure -a
}

# A machine that went down while packages were unpacked has one of which there is half, and may have some that wait for others:
# dpkg does not repair those, apt fetches them again. What would cost a package that somebody put there is left to people.
repair() {
  update_lists
  apt_get install --fix-broken
}

apply_ready() {
  local tries=0 said
  until said=$(dpkg --configure -a --force-confdef --force-confold 2>&1); do
    [[ $said == *'lock was locked by'* ]] || { echo "$said"; repair; return; }
    ((tries % 8 != 0)) || echo "Waiting: ${said%%$'\n'*}"
    ((++tries < 450)) || { echo 'Another program has been holding the package system for 15 minutes.'; return 1; }
    sleep 2
  done
  [[ -z $said ]] || echo "$said"
  [[ -z $(dpkg --audit) ]] || repair
}
