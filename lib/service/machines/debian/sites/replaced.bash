# Sites that a restore replaced are kept for a day.
source sites/site.bash

expire_replaced() {
  local each folder
  for each in "$sites_home"/*/site; do
    each=${each%/site} each=${each##*/}
    folder=/home/$each/.replaced
    [[ -d $folder && ! -L $folder && -n $(find "$folder" -maxdepth 0 -mmin +1440) ]] || continue
    # The folder goes last, because it alone tells that the database is still there.
    ! command -v mariadb >/dev/null || sql_seconds=600 sql <<<"DROP DATABASE IF EXISTS \`gatehouse-kept-$each\`" || continue
    rm -rf --one-file-system -- "$folder"
  done
}
