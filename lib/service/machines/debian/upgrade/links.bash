# Links in folders that are served which belong to another user than the site, as restores of earlier versions made them. They are named and stay:
# root deletes nothing in a folder in which programs of the site may exchange one thing for another at any moment.
source sites/foreign-links.bash

upgrade_site_links() {
  local each
  while IFS= read -r each; do
    echo "The link ${each#*:} of ${each%%:*} belongs to another user. Delete it, and let the site’s user make it again."
  done < <(foreign_links 60)
}
