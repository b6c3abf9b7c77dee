# Links in the folder that is served which belong to another user than the site. Apache follows a link if its owner also owns what it leads to, so
# programs of the site could lead one of root's, through a folder of their own, to any file of root's.

# foreign_links SECONDS: of a named site, as DOMAIN:PATH, one a line, at most 20. Whatever is no letter, digit or one of ._-/ is written as %XX.
foreign_links() {
  timeout "$1" find "$home/public" -mindepth 1 -xdev -type l ! -user "$name" -printf '%P\0' 2>/dev/null | head -z -n 20 |
    SITE=$(sed -n 's/^domain //p' "$settings/site") perl -0ne 'chomp; s{([^\w./-])}{sprintf "%%%02X", ord $1}ge; print "$ENV{SITE}:$_\n"'
}
