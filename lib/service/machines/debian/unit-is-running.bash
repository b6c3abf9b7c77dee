# unit_is_running UNIT: also while it starts or ends.
unit_is_running() {
  case $(systemctl show --value -p ActiveState "$1") in
    active | activating | deactivating | reloading) return 0 ;;
    *) return 1 ;;
  esac
}

# any_is_running PATTERN
any_is_running() { [[ -n $(systemctl list-units --plain --no-legend --state=active,activating,deactivating,reloading "$1") ]]; }
