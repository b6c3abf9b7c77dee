# What reads the files of a site: sites/file-server.bash. Comes before the virtual host, which leads to it.
source sites/file-server.bash
source sites/vhost.bash
source upgrade/keep.bash
source upgrade/run.bash

upgrade_server_file_server() {
  [[ -n $(outdated_sites) ]] || return 0
  if [[ ! -x /usr/sbin/nginx ]]; then install_file_server; fi
  if [[ ! -e /etc/apache2/mods-enabled/proxy_http.load ]]; then a2enmod -q proxy_http >/dev/null; fi
}

# A virtual host that was edited would not lead to it.
upgrade_site_file_server() {
  [[ -e $vhost && ! -e $settings/files.conf ]] && is_vhost_unedited || return 0
  keep_for_undo "$settings/files.conf"
  begin_file_server
  await_file_server
  echo 'Its files are read by a program of its own.'
}

unwind_site_file_server() { has_file_server || remove_file_server; }
