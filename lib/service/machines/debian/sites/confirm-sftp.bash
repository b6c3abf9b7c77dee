# Keeps the change. Running this over a new login proves that SSH still admits Gatehouse. Exit code 76: it was taken back already.
source sites/sftp.bash

[[ -e $sftp_conf ]] || exit 76
rm -f "$sftp_conf.unconfirmed"
remove_sftp_undo
