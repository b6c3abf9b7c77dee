# Waits until the package system is free and repairs it if necessary.
source steps/apt.bash

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

# A power cut while packages are unpacked leaves one half installed and may leave others waiting for it. dpkg cannot repair that;
# apt downloads them again. A repair that would remove a package is left to the admin.
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
