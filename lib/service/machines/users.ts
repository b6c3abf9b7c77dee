/** System users on any provider: which ones are listed, may get a password, or may be deleted. */
import { type Problem, problem } from '@/lib/contract/problem'
import { type Account, isPerson, isRoot, type KnownAccounts, parseAccounts } from './accounts'
import { MachineFailure, type Users } from './machine'

/**
 * The outcome of a change. gone: the system user has changed since it was read, or a free name is now taken. refused: the server does
 * not accept the password. running, used: what prevents the deletion, as named on the server.
 */
export type Kept = { kind: 'done' | 'gone' | 'refused' } | { kind: 'running' | 'used'; what: readonly string[] }

/** The system users of a server. Throws MachineFailure if the server cannot be reached. */
export type Accounts = {
  /** /etc/passwd, and the id range of people from login.defs. */
  read(): Promise<string>
  /** Creates a system user with home and password, or changes nothing. */
  create(name: string, pass: string): Promise<Kept>
  setPassword(account: Account, pass: string): Promise<Kept>
  /** Deletes crontab, system user and home, or changes nothing. */
  remove(account: Account): Promise<Kept>
}

/** own: Gatehouse's login user. */
export function createUsers(accounts: Accounts, own: string): Users {
  const read = async () => parseAccounts(await accounts.read())
  const find = ({ accounts }: KnownAccounts, name: string) => accounts.find((account) => account.name === name)
  return {
    async list() {
      const known = await read()
      const told = known.accounts.filter((account) => isRoot(account) || account.name === own || isPerson(account, known))
      return told.map(({ name }) => name)
    },
    async save(name, pass) {
      const known = await read()
      const account = find(known, name)
      const why = account ? passwordRefusal(account, known, own) : newNameRefusal(name)
      if (why) throw refuse('user', why)
      requireKept(name, await (account ? accounts.setPassword(account, pass) : accounts.create(name, pass)))
    },
    async setPassword(name, pass) {
      const known = await read()
      const account = find(known, name)
      if (!account) throw new MachineFailure(gone(name))
      const why = passwordRefusal(account, known, own)
      if (why) throw refuse('user', why)
      requireKept(name, await accounts.setPassword(account, pass))
    },
    async delete(name) {
      const known = await read()
      const account = find(known, name)
      if (!account) throw new MachineFailure(gone(name))
      const why = deletionRefusal(account, known, own)
      if (why) throw refuse('user', why)
      requireKept(name, await accounts.remove(account))
    },
  }
}

const refuse = (field: string, why: string) => new MachineFailure(problem('invalid', { fields: { [field]: why } }))

const gone = (name: string): Problem =>
  problem('changed_meanwhile', {
    sentence: `There is no user ${name} on this server, or it has been replaced. Reload the list.`,
  })

/** Names that Debian packages use for their system users: a person's user of that name would be mistaken for theirs. */
const packageNames = new Set(['mysql', 'postfix', 'postdrop', 'dovecot', 'dovenull', 'vmail', 'opendkim', 'postgres', 'redis', 'nginx'])

/** The field's own limit restricts the length. */
const newName = /^[a-z][a-z0-9_-]*$/

function newNameRefusal(name: string): string | null {
  if (!newName.test(name)) return 'Enter a name of lower-case letters, digits, - and _, starting with a letter.'
  return packageNames.has(name) ? `${name} is reserved for a package. Choose another name.` : null
}

function passwordRefusal(account: Account, known: KnownAccounts, own: string): string | null {
  if (isRoot(account)) return 'The password of root cannot be set here.'
  if (account.name === own) return `${own} is the user Gatehouse manages this server with. Its password cannot be set here.`
  return isPerson(account, known) ? null : `${account.name} is a system account for programs. Nobody logs in as it.`
}

function deletionRefusal(account: Account, known: KnownAccounts, own: string): string | null {
  if (isRoot(account)) return 'root cannot be deleted.'
  if (account.name === own) return `${own} is the user Gatehouse manages this server with. It cannot be deleted here.`
  return isPerson(account, known) ? null : `${account.name} is a system account of a package. It cannot be deleted here.`
}

/** Throws MachineFailure for any outcome except done. */
function requireKept(name: string, kept: Kept): void {
  if (!('what' in kept)) {
    if (kept.kind === 'done') return
    if (kept.kind === 'gone') throw new MachineFailure(gone(name))
    throw refuse('pass', 'The server rejects this password. Choose another one.')
  }
  const what = kept.what.slice(0, 5).join(', ')
  if (kept.kind === 'used') throw refuse('user', `${name} or its home folder is still in use. Change or delete this first: ${what}.`)
  const sentence = `${name} is logged in or runs programs: ${what}. End them first; nothing was deleted.`
  throw new MachineFailure(problem('busy', { sentence }))
}
