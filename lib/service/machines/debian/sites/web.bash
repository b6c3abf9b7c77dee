# Serving a site: making its virtual host, changing it, and asking whether Apache answers by it.
source sites/apache.bash
source sites/other-names.bash
source sites/php.bash
source sites/reach.bash
source sites/run.bash
source sites/vhost.bash
source steps/manifest.bash

# load_module MODULE: Apache’s, where Gatehouse installed it. Elsewhere files of an admin may have rules for when it is there.
load_module() {
  if apache2ctl -M 2>/dev/null | grep " $1_module " >/dev/null; then return; fi
  [[ $(part_state web) == ours ]] || return 1
  a2enmod -q "$1" >/dev/null
}

# What a failed change goes back to.
keep_web() {
  rm -f "$job_home/virtual-host"
  cp -a -- "$vhost" "$job_home/virtual-host.new"
  sync "$job_home/virtual-host.new"
  mv -T -- "$job_home/virtual-host.new" "$job_home/virtual-host"
  sync "$job_home"
}

create_web() {
  local module
  install -d -m 755 "$settings/apache" "$proofs"
  write_proof
  for module in proxy proxy_fcgi proxy_http; do
    [[ -e /etc/apache2/mods-enabled/$module.load ]] || a2enmod -q "$module" >/dev/null
  done
  answer_other_names 80
  if leads_www && ! load_module rewrite; then
    www_redirect=''
    echo "Apache’s module rewrite is not loaded here, so www.$domain shows the site and does not lead to $domain."
  fi
  write_vhost
  ln -sfn "../sites-available/${vhost##*/}" "$vhost_link"
  # Apache takes its configuration while the programs of the site start. Until they have, visitors get 503.
  reload_apache
  await_programs
  prove_names
}

change_web() {
  keep_web
  write_vhost
  reload_apache
  prove_names
}

# What keep_web has kept is no longer needed: the change stays. It happens at one moment, whatever is killed when.
keep_change() {
  mv -T -- "$job_home/virtual-host" "$job_home/$1"
  sync "$job_home"
}

restore_web() {
  put_vhost "$job_home/virtual-host"
  reload_apache
}

# restore_kept_web: what keep_web has kept, shown as what takes a job back.
restore_kept_web() { [[ ! -e $job_home/virtual-host ]] || take_back restore_web; }

# Asks for a file that only root writes. Another virtual host may be bound to the address and hide this one, or have the same name.
prove_names() {
  local mark each answer until
  mark=mark.$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s' "$mark" >"$proofs/$mark"
  chmod 644 "$proofs/$mark"
  for each in "$domain" $aliases; do
    until=$((SECONDS + 20))
    while ((SECONDS < until)); do
      answer=$(ask_apache "$each" "/.well-known/gatehouse/$mark" || true)
      [[ $answer != *"$mark" ]] || continue 2
      sleep 0.1
    done
    rm -f "$proofs/$mark"
    echo "Apache does not answer for $each with the files of the site. Another virtual host may be bound to the server’s address."
    return 1
  done
  rm -f "$proofs/$mark"
}
