/** What the bundled service leaves on a server when it is let in: done by the service, told by the page before, and by docs/running.md. */

/** says: what it allows. line: as it is added to the file, where it is known before. */
export type Grant = { file: string; description: string; line: string | null }

export const sudoersFile = '/etc/sudoers.d/gatehouse'

/** What stands behind the user's name. */
export const sudoersRule = 'ALL=(ALL:ALL) NOPASSWD: ALL'

const isRoot = (user: string): boolean => user === 'root'

export function grantsOf(user: string): Grant[] {
  const login = isRoot(user)
    ? 'Gatehouse logs in as root with it and may do anything on the server.'
    : `Gatehouse logs in as ${user} with it.`
  const key = {
    file: '~/.ssh/authorized_keys',
    line: null,
    description: `A new SSH key, made for this server alone, is added for ${user}. ${login}`,
  }
  const description = `This line lets ${user} run every command as root without a password. It holds for everybody who logs in as ${user}, not only for Gatehouse.`
  return isRoot(user) ? [key] : [key, { file: sudoersFile, line: `${user} ${sudoersRule}`, description }]
}

export const grantsEnd = 'Delete server takes them off again. The password or private key that you enter is used once and not kept.'
