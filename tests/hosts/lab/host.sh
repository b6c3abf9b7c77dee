#!/bin/bash
# host.sh IMAGE SLOT NAME CGROUP: one lab host, from its image to its end. It is the first process of its own pid, mount and
# network namespaces: ending it ends the host and everything mounted for it. Lines on stdin, in this order:
#   address, name server, URL of the apt proxy, kind of login, user, public key, password (the last two may be empty)
set -eu
image=$1 slot=$2 name=$3 cgroup=$4
read -r address; read -r nameserver; read -r proxy; read -r kind; read -r user; read -r key; read -r password
gateway=${address%.*}.1

# Hosts in one cgroup would stop each other's services, so each gets its own group, with either cgroup version.
for tree in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [ -e "$tree/cgroup.procs" ] || continue
  mkdir -p "$tree/gatehouse-lab/$cgroup"
  echo 0 >"$tree/gatehouse-lab/$cgroup/cgroup.procs"
done

ip link set lo up
ip addr add "$address/24" dev eth0
ip link set eth0 up
ip route add default via "$gateway"

# Finds the host's programs where Debian installs them, whatever PATH is outside.
inside() { env PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@"; }

mkdir -p "$slot" /run/systemd/nspawn
mount -t tmpfs -o size=4g,mode=755 lab "$slot"
mount -t tmpfs lab /run/systemd/nspawn
mkdir "$slot/upper" "$slot/work" "$slot/root"
root=$slot/root
mount -t overlay lab -o "lowerdir=$image,upperdir=$slot/upper,workdir=$slot/work" "$root"

echo "$name" >"$root/etc/hostname"
printf '127.0.0.1\tlocalhost\n127.0.1.1\t%s\n' "$name" >"$root/etc/hosts"
echo "nameserver $nameserver" >"$root/etc/resolv.conf"
printf 'Acquire::http::Proxy "%s";\nAcquire::Check-Valid-Until "false";\nAcquire::Check-Date "false";\n' "$proxy" >"$root/etc/apt/apt.conf.d/90proxy"
for type in ed25519 ecdsa; do
  ssh-keygen -q -t "$type" -N '' -C "root@$name" -f "$root/etc/ssh/ssh_host_${type}_key"
done

home=/root
if [ "$user" != root ]; then
  home=/home/$user
  inside useradd --create-home --shell /bin/bash "$user"
fi
case $kind in
  root-password) echo 'PermitRootLogin yes' >"$root/etc/ssh/sshd_config.d/root.conf" ;;
  sudo-password) inside usermod --append --groups sudo "$user" ;;
  sudo-free) echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/90-$user"; chmod 0440 "$root/etc/sudoers.d/90-$user" ;;
esac
[ -z "$password" ] || printf '%s:%s\n' "$user" "$password" | inside chpasswd
if [ -n "$key" ]; then
  install -d -m 700 "$root$home/.ssh"
  printf '%s\n' "$key" >"$root$home/.ssh/authorized_keys"
  chmod 600 "$root$home/.ssh/authorized_keys"
  inside chown -R "$user:" "$home/.ssh"
fi

processor=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
# nspawn ends with 133 when the host wants to reboot and with 1 after a power cut: start it again. A host that never got as far
# as writing its machine id cannot start at all. After an orderly power-off the host stays off, its disk mounted.
while :; do
  code=0
  # All hosts on one processor. Their scripts start thousands of programs, which costs a virtual machine twice as much when two processors do
  # it at once; and browsers, which compute, get the other one.
  taskset --cpu-list "$processor" systemd-nspawn --quiet --settings=no --directory="$root" --boot --network-namespace-path=/proc/self/ns/net --capability=CAP_NET_ADMIN \
    --register=no --keep-unit --machine="$name" --resolv-conf=off --timezone=off --link-journal=no --console=pipe \
    </dev/null >>"$slot/console.log" 2>&1 || code=$?
  [ "$code" != 0 ] || exec sleep infinity
  [ -s "$root/etc/machine-id" ] || { tail -n 20 "$slot/console.log" >&2; exit "$code"; }
done
