# UFW's rules as it keeps them, whether it is active or not: each behind the name of its file. A file without any is an empty list.
read_rules() { grep -sH '^### tuple ###' /etc/ufw/user.rules /etc/ufw/user6.rules; }
