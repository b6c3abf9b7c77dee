# Checks every part before anything is changed: sets up what is absent, keeps what others installed, or refuses the installation.
source host/whole.bash
source steps/listeners.bash
source steps/manifest.bash
source steps/packages.bash
source steps/ready.bash

# The state that an earlier installation recorded. With the first manifest format Gatehouse set up all parts.
recorded_state() {
  if [[ $(manifest_lines | head -n 1) == '# gatehouse 2' ]]; then
    part_state "$1"
  elif [[ -n $(listed_hash_of /etc/systemd/system/gatehouse-backup.timer) ]]; then
    echo ours
  elif [[ -f $manifest ]] || grep -qs $'\tPackages\t' "$events"; then
    echo begun
  fi
}

# verdict_on PART: ours, begun, absent, or kept and the reason. `ours` stays unless another product has replaced it.
verdict_on() {
  local recorded reason
  recorded=$(recorded_state "$1")
  if [[ $recorded == ours || $recorded == begun ]] && is_installed "${main_package[$1]}"; then
    echo "$recorded"
    return
  fi
  reason=$("find_$1")
  if [[ -n $reason ]]; then
    echo "kept $reason"
  elif [[ $recorded == ours ]]; then
    echo ours
  else
    echo absent
  fi
}

# Separate caches: the server's own stay unchanged, and without any, each simulation would parse all lists again.
own_apt=/run/gatehouse-apt
own_lists=$own_apt/lists
own_caches=(-o Dir::Cache::pkgcache="$own_apt/pkgcache.bin" -o Dir::Cache::srcpkgcache="$own_apt/srcpkgcache.bin")

# If apt does not know the packages yet, uses freshly downloaded lists in a separate folder; the server's own stay unchanged.
simulate() {
  local said
  if said=$(simulate_with_lists "$@") || [[ ! $said =~ (Unable to locate|no installation candidate|no installable) ]]; then
    echo "$said"
    return
  fi
  install -d -m 755 "$own_lists"
  apt-get -q "${own_caches[@]}" -o Dir::State::lists="$own_lists" -o Acquire::GzipIndexes=true -o Acquire::Languages=none \
    -o APT::Update::Error-Mode=any -o Acquire::Retries=3 update 2>&1 || return 0
  simulate_with_lists "$@" || true
}

simulate_with_lists() {
  local options=()
  [[ -z $(dpkg --audit) ]] || options+=(--fix-broken)
  [[ ! -d $own_lists ]] || options+=(-o Dir::State::lists="$own_lists")
  LC_ALL=C apt-get -s -q "${own_caches[@]}" --no-install-recommends "${options[@]}" install "$@" 2>&1
}

removed_in() { awk '$1 == "Remv" && !seen[$2]++ { printf "%s%s", (some++ ? ", " : ""), $2 }' <<<"$1"; }

refuse() {
  rm -rf "$own_apt"
  echo "Nothing was changed: $1"
  exit 3
}

# find_remover PACKAGE...: finds the package whose installation removes others. A binary search, because a simulation takes seconds.
find_remover() {
  local half
  while (($# > 1)); do
    half=$(($# / 2))
    if [[ -n $(removed_in "$(simulate "${@:1:half}")") ]]; then set -- "${@:1:half}"; else set -- "${@:half+1}"; fi
  done
  echo "$1"
}

# refuse_removals PACKAGE...: refuses the installation if these packages would remove an installed one.
refuse_removals() {
  local said package removed
  [[ $(installed "$@" | wc -l) != "$#" ]] || return 0
  rm -rf "$own_apt"
  install -d -m 755 "$own_apt"
  said=$(simulate "$@")
  if [[ -n $(removed_in "$said") ]]; then
    package=$(find_remover "$@")
    removed=$(removed_in "$(simulate "$package")")
    [[ -z $removed ]] || refuse "installing $package would remove $removed."
    refuse "the installation would remove $(removed_in "$said")."
  fi
  # The next step repairs half-installed packages, or reports that it cannot.
  if [[ -z $(dpkg --audit) ]] && said=$(grep -m 1 '^E: ' <<<"$said"); then refuse "apt cannot install what is needed. ${said#E: }"; fi
  rm -rf "$own_apt"
}

apply_survey() {
  local name verdict said wanted lines=() setup='' kept=''
  await_first_start
  said=$(dpkg-query -W dpkg 2>&1) || refuse "${said%%$'\n'*}"
  for name in "${parts[@]}"; do
    verdict=$(verdict_on "$name")
    lines+=("# part $name $verdict")
    if [[ $verdict == kept* ]]; then kept+=", ${part_title[$name]}"; else setup+=", ${part_title[$name]}"; fi
  done
  mapfile -t wanted < <(packages_for "${lines[@]}")
  refuse_removals "${wanted[@]}"
  record "${lines[@]}"
  [[ -z $kept ]] || echo "Left unchanged: ${kept#, }."
  echo "Set up: ${setup#, }."
  has_python || echo 'Python is not here yet. It is installed from Debian’s packages, because backups of sites need it.'
}
