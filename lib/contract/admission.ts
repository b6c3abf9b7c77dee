/** The changes that the bundled service makes on a server to get access, shown by the form and docs/running.md. */

/** description: what it allows. line: the line added to the file, if known beforehand. */
export type AdmissionChange = { file: string; description: string; line: string | null }

export const sudoersFile = '/etc/sudoers.d/gatehouse'

/** The text after the user's name. */
export const sudoersRule = 'ALL=(ALL:ALL) NOPASSWD: ALL'

const isRoot = (user: string): boolean => user === 'root'

export function admissionChangesOf(user: string): AdmissionChange[] {
  const login = isRoot(user)
    ? 'Gatehouse uses it to log in as root, with full access to the server.'
    : `Gatehouse uses it to log in as ${user}.`
  const key = {
    file: '~/.ssh/authorized_keys',
    line: null,
    description: `A new SSH key, used for this server only, is added for ${user}. ${login}`,
  }
  const description = `This line lets ${user} run every command as root without a password. It applies to everyone who logs in as ${user}, not only to Gatehouse.`
  return isRoot(user) ? [key] : [key, { file: sudoersFile, line: `${user} ${sudoersRule}`, description }]
}

export const admissionEnd =
  'Delete server removes them again; what its sites need stays while there are any. The password or private key you enter is used once and not stored.'
