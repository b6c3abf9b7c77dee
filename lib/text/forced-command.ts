/** What keeps a server from deleting its copies at an SFTP server: the beginning of a line of authorized_keys, before the public key. */

/**
 * folder: of all repositories, of letters, digits, dots, hyphens, underscores and slashes; empty for where the user signs in. restic runs rclone with the folder of the
 * repository as the last word, which is all that is taken of what a server sends.
 */
export function forcedCommand(folder: string): string {
  const repository = `${folder === '' ? '' : `${folder}/`}$r`
  const named = `r=\${SSH_ORIGINAL_COMMAND##* }; case $r in ''|*[!A-Za-z0-9_-]*) exit 64;; esac`
  return `restrict,command="${named}; exec rclone serve restic --quiet --stdio --append-only ${repository}"`
}
