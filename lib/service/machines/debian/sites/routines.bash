# write_routines DATABASE COMMAND...: functions, procedures and packages, as statements that make them again. COMMAND runs statements as root in
# batch mode, because others are not shown those of others. Not by mariadb-dump: it has views prepared, for which MariaDB runs functions.
write_routines() {
  local database=$1
  shift
  "$@" <<<"SELECT type, HEX(name) FROM mysql.proc WHERE db = '$database' AND type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE', 'PACKAGE BODY') ORDER BY type, name" |
    DATABASE=$database perl -ne '
      my ($kind, $hex) = /^([A-Z ]+)\t([0-9A-F]+)$/ or die "unexpected: $_";
      (my $name = pack "H*", $hex) =~ s/`/``/g;
      print "SELECT \x27$kind\x27; SHOW CREATE $kind `$ENV{DATABASE}`.`$name`;\n"' |
    "$@" |
    perl -ne '
      chomp;
      my %plain = (n => "\n", t => "\t", 0 => "\0");
      my @cells = map { s{\\(.)}{$plain{$1} // $1}ger } split /\t/, $_, -1;
      if (@cells == 1) { $kind = $cells[0]; next }
      my ($name, $mode, $create, undef, $collation) = @cells;
      die "no text of $name\n" if $create eq "NULL";
      $name =~ s/`/``/g;
      print "DROP $kind IF EXISTS `$name`;\n",
        "SET \@former_mode = \@\@sql_mode, \@former_collation = \@\@collation_connection;\n",
        "SET sql_mode = \x27$mode\x27, collation_connection = \x27$collation\x27;\n",
        "DELIMITER ;;\n$create ;;\nDELIMITER ;\n",
        "SET sql_mode = \@former_mode, collation_connection = \@former_collation;\n"'
}
