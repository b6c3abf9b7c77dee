type Access = {
  name: string
  user: string
  /** Where programs on the server find the database. */
  host: string
  /** The server's address or hostname. */
  server: string
  sshPort: string
}

/** Neither an option nor anything that a shell would read otherwise. */
const plain = /^[\w:][\w.:-]*$/

/**
 * The commands that lead to a database from another computer, without its password. Null unless every part is plain, because people paste
 * them into a shell and the parts come from a service.
 */
export function connectionCommands({ name, user, host, server, sshPort }: Access): { tunnel: string; client: string } | null {
  if (![name, user, host, server, sshPort].every((part) => plain.test(part))) return null
  const target = host.includes(':') ? `[${host}]` : host
  return {
    tunnel: `ssh ${sshPort === '22' ? '' : `-p ${sshPort} `}-L 3307:${target}:3306 USER@${server}`,
    client: `mariadb -h 127.0.0.1 -P 3307 -u ${user} -p ${name}`,
  }
}
