import { arePlain } from '../plain-parts'

type Access = {
  name: string
  user: string
  /** Where programs on the server find the database. */
  host: string
  /** The server's address or hostname. */
  server: string
  sshPort: string
}

/**
 * The commands that lead to a database from another computer, without its password. Null unless every part is plain, because people paste
 * them into a shell and the parts come from a service.
 */
export function connectionCommands({ name, user, host, server, sshPort }: Access): { tunnel: string; client: string } | null {
  if (!arePlain([name, user, host, server, sshPort])) return null
  const target = host.includes(':') ? `[${host}]` : host
  return {
    tunnel: `ssh ${sshPort === '22' ? '' : `-p ${sshPort} `}-L 3307:${target}:3306 USER@${server}`,
    client: `mariadb -h 127.0.0.1 -P 3307 -u ${user} -p ${name}`,
  }
}
