# unit_is_running UNIT: also while it starts or ends.
unit_is_running() {
  case $(systemctl show --value -p ActiveState "$1") in
    active | activating | deactivating | reloading) return 0 ;;
    *) return 1 ;;
  esac
}
