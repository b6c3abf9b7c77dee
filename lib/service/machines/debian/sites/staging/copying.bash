# Copies of files between the homes of two sites, from_name and to_name.
# What copies and rewrites outlives a job that is killed. Also by this name in copying.py.
transfer_unit=gatehouse-transfer.service

# Only root gets into the folder around it while root writes there: programs of the site would put links in the way.
staged_folder() { echo "/home/$to_name/.staging/public"; }
