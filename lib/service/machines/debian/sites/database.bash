# The database of a site and its user, who may use nothing else.
create_database() {
  sql <<END
CREATE DATABASE \`$name\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
SET @password = $(sql_text "$database_password");
EXECUTE IMMEDIATE CONCAT("CREATE USER \`$name\`@localhost IDENTIFIED BY ", QUOTE(@password));
GRANT ALL PRIVILEGES ON \`$name\`.* TO \`$name\`@localhost WITH MAX_USER_CONNECTIONS 30;
END
}

# Sessions that outlive the programs which opened them may hold locks.
end_sessions() { sql <<<"KILL HARD USER \`$name\`@localhost" || true; }

drop_database() {
  sql <<<"ALTER USER IF EXISTS \`$name\`@localhost ACCOUNT LOCK"
  end_sessions
  sql <<END
DROP DATABASE IF EXISTS \`$name\`;
DROP USER IF EXISTS \`$name\`@localhost;
END
}
