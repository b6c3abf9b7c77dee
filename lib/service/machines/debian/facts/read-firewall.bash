# The rules in UFW's files, whether UFW is active or not. Each line starts with the name of its file. No rules: no output.
read_rules() { grep -sH '^### tuple ###' /etc/ufw/user.rules /etc/ufw/user6.rules; }
