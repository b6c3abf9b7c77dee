# The database of a site and its user, who may use nothing else.
source sites/logins.bash
source sites/site.bash

create_database() {
  sql <<END
CREATE DATABASE \`$name\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
SET @password = $(sql_text "${database_password:?}");
EXECUTE IMMEDIATE CONCAT("CREATE USER \`$name\`@localhost IDENTIFIED BY ", QUOTE(@password));
GRANT ALL PRIVILEGES ON \`$name\`.* TO \`$name\`@localhost WITH MAX_USER_CONNECTIONS 30;
END
}

# Sessions that outlive the programs which opened them may hold locks.
end_sessions() { sql <<<"KILL HARD USER \`$name\`@localhost" || true; }

# A transaction that a session has prepared (XA) survives it and holds its tables, and XA RECOVER does not say whose it is. Where all databases
# are of sites, nobody comes back for it: PHP forgets it with the request. One that a session still has cannot be rolled back here.
end_prepared() {
  [[ -n $(sql <<<'XA RECOVER') ]] && has_only_sites || return 0
  sql <<<"XA RECOVER FORMAT='SQL'" | cut -f 4 | sed 's/.*/XA ROLLBACK &;/' | sql --force 2>/dev/null || true
}

has_only_sites() {
  local each named
  for each in $(sql <<<"SELECT HEX(schema_name) FROM information_schema.schemata WHERE schema_name NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')"); do
    decode_name "$each"
    # Names of sites are letters and digits. Others with such a prefix belong to backups of sites, and with such an ending to pulls and pushes.
    [[ -e $sites_home/${named%_*}/site || $named =~ ^gatehouse-(scratch|kept)- ]] || return 1
  done
}

# explain_drop SAID: what MariaDB said. That a lock was not given in time tells nobody what to do.
explain_drop() {
  if [[ -n $(sql <<<'XA RECOVER') ]]; then
    echo 'Prepared transactions hold the tables of the site, or may. See XA RECOVER in MariaDB, end them by XA ROLLBACK, and delete the site again.'
  else
    printf '%s\n' "$1"
  fi
  return 1
}

lock_database() { sql <<<"ALTER USER IF EXISTS \`$name\`@localhost ACCOUNT LOCK"; }

unlock_database() { sql <<<"ALTER USER IF EXISTS \`$name\`@localhost ACCOUNT UNLOCK"; }

drop_database() {
  local said
  lock_database
  end_sessions
  end_prepared
  said=$(
    sql 2>&1 <<END
DROP DATABASE IF EXISTS \`$name\`;
DROP DATABASE IF EXISTS \`gatehouse-kept-$name\`;
DROP DATABASE IF EXISTS \`gatehouse-restore-$name\`;
DROP DATABASE IF EXISTS \`${name}_new\`;
DROP DATABASE IF EXISTS \`${name}_old\`;
DROP USER IF EXISTS \`$name\`@localhost, \`$(reader "$name")\`@localhost, \`$(dumper "$name")\`@localhost, \`$(dumper "gatehouse-scratch-$name")\`@localhost;
END
  ) || explain_drop "$said"
}
