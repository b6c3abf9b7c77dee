# How steps and jobs call apt: it never removes a package or asks a question, waits for locks, and prints its progress among its output.
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 APT_LISTCHANGES_FRONTEND=none UCF_FORCE_CONFFOLD=1

# apt closes its status descriptor before it starts dpkg, so that cannot be standard output itself.
apt_get() {
  apt-get -y -q -o DPkg::Lock::Timeout=900 -o Dpkg::Use-Pty=0 -o APT::Status-Fd=3 -o Acquire::Retries=3 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold --no-install-recommends --no-remove "$@" 3>&1
}

# apt waits for dpkg's locks, but not for the lock on the package lists.
update_lists() {
  local tries=0 said
  until said=$(apt-get -q -o APT::Update::Error-Mode=any -o Acquire::Retries=3 update 2>&1); do
    { [[ $said == *'Could not get lock'* ]] && ((++tries < 180)); } || { echo "$said"; return 1; }
    echo "Waiting: $(grep -m 1 'Could not get lock' <<<"$said")"
    sleep 5
  done
  echo "$said"
}
