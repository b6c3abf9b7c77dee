# What still uses a system user or its home. Needs `user`, `uid` and `home`. Symbolic links are resolved before paths are compared.

# real_path PATH: sets `real`. Starts no program for ordinary paths, because there are thousands. Paths that do not exist stay as they are.
real_path() {
  local path=$1 rest='' target
  case $path in *..* | *//*) path=$(realpath -m -- "$path") ;; esac
  while [[ -n $path && ! -d $path/ ]]; do
    if [[ -L $path ]] && target=$(readlink -f -- "$path") && [[ ! -L $target ]]; then
      path=$target
    else
      rest=/${path##*/}$rest path=${path%/*}
    fi
  done
  real=$1
  cd -P -- "${path:-/}" && real=${PWD%/}$rest
}

# Files that the web servers report reading, plus the enabled ones, in case a server's configuration cannot be parsed.
list_web_settings() {
  find -L /etc/apache2 /etc/nginx -name '*-available' -prune -o -type f -print
  find -L /etc/php/*/fpm/pool.d -name '*.conf' -type f
  apache2ctl -t -D DUMP_INCLUDES | sed -n 's/^ *([0-9*]*) //p'
  nginx -T | sed -n 's/^# configuration file \(.*\):$/\1/p'
}

list_units() {
  find -L /etc/systemd/system /usr/local/lib/systemd/system /usr/lib/systemd/system /run/systemd/system \
    \( -name '*.wants' -o -name '*.requires' \) -prune -o -type f -print
}

# Lists the absolute paths in the files named on standard input, except in comments, and the files themselves: kind, file, path,
# separated by tabs. A placeholder such as $user or %0 becomes a wildcard. Kind `site` is a folder that a web server serves.
list_paths() {
  sort -u | tr '\n' '\0' | xargs -0 -r awk '
    FNR == 1 { print "path\t" FILENAME "\t" FILENAME }
    /^[[:space:]]*[#;]/ { next }
    {
      served = tolower($0) ~ /(^|[[:space:]{;])((virtual)?documentroot|scriptalias|alias|root)[[:space:]]/
      gsub(/[$%]([{][^}]*[}]|[A-Za-z0-9_]+)/, "*")
      while (match($0, /\/[^][:space:]"\047`;,=:<>(){}|[]+/)) {
        path = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        print (served && $0 !~ /\// ? "site" : "path") "\t" FILENAME "\t" path
      }
    }' | sort -u
}

list_homes() {
  local name other
  while IFS=: read -r name _ _ _ _ other _; do
    real_path "$other"
    [[ $name == "$user" || $real != "$home"/* ]] || echo "/etc/passwd ($name)"
  done < <(getent passwd)
}

# list_instances FILE: for which sites a template of ours runs, or starts at boot.
list_instances() {
  local template=${1##*/}
  template=${template%.d/*}
  {
    systemctl list-units --all --plain --no-legend "${template/@./@*.}" | cut -d' ' -f 1
    find /etc/systemd/system/*.wants -name "${template/@./@*.}" -printf '%f\n'
  } | sed 's/^[^@]*@//; s/[.][a-z]*$//' | sort -u
}

# Files that mention the home or a path in it, or serve a folder that contains it.
list_namings() {
  local kind file path paths
  while IFS=$'\t' read -r kind file path; do
    paths=("$path")
    if [[ $path == *'*'* && $file == */gatehouse-*@.* ]]; then
      # Such a path is that of a site, and not every one that there is.
      mapfile -t paths < <(list_instances "$file" | while read -r instance; do echo "${path//'*'/$instance}"; done)
    elif [[ $path == *'*'* ]]; then
      mapfile -t paths < <(compgen -G "$path")
    fi
    for path in "${paths[@]}"; do
      real_path "$path"
      if [[ $real == "$home" || $real == "$home"/* ]] || [[ $kind == site && $home == "$real"/* ]]; then
        echo "$file"
      fi
    done
  done < <({ list_web_settings; list_units; } | list_paths)
}

list_uses() {
  local name home=$home real
  name=$(sed 's/[][\.*^$+?(){}|]/\\&/g' <<<"$user")
  grep -lsE "^[[:space:]]*user[[:space:]]*=[[:space:]]*[\"']?${name}[\"']?[[:space:]]*(;.*)?$" /etc/php/*/fpm/pool.d/*.conf
  grep -lsiE "^[[:space:]]*(AssignUserID|SuexecUserGroup)[[:space:]]+[\"']?${name}[\"']?([[:space:]]|$)" /etc/apache2/sites-enabled/*
  list_units | tr '\n' '\0' | xargs -0 -r grep -lE "^[[:space:]]*User[[:space:]]*=[[:space:]]*[\"']?($name|$uid)[\"']?[[:space:]]*$"
  find /var/www -mindepth 1 -maxdepth 1 -user "$uid"
  real_path "$home"
  home=$real
  [[ $home == / ]] || { list_homes; list_namings; }
} 2>/dev/null
