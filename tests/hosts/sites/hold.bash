# Each shell of a job of a site reads this before its script. The first that finds the file stands still at the step that the file names, with its
# whole unit: after it has said so, before it begins.
hold_folder=/run/gatehouse-hold
{ hold_step=$(cat "$hold_folder/next") && rm "$hold_folder/next"; } 2>/dev/null || hold_step=''

hold() {
  # shellcheck disable=SC2053 # A pattern.
  [[ ${step-} == $hold_step && " ${FUNCNAME[*]} " == *' attempt '* && ! -e $hold_folder/unit ]] || return 0
  case ${FUNCNAME[1]} in
    attempt | say | heed_cancel | is_cancelled | tell_late | relay | cut_lines) return 0 ;;
  esac
  # shellcheck disable=SC2154 # The job that this is read by sets its folder.
  echo "gatehouse-site-job-${job_home##*/}.service" >"$hold_folder/unit.new"
  mv "$hold_folder/unit.new" "$hold_folder/unit"
  systemctl kill -s STOP "$(<"$hold_folder/unit")"
}

if [[ -n $hold_step ]]; then
  set -T
  trap hold DEBUG
fi
