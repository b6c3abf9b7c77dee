/** The audit log as sentences: "Turned the firewall off". Covers every operation and every event. */
import 'server-only'
import { type OperationId, operations, type ToldOperationId } from '@/lib/contract'
import { type OwnAction, ownActions } from '@/lib/portal/audit/own-actions'
import { showBidiControls } from '@/lib/text/bidi'

/** The detail of an entry. Entries of older versions contain less, so each sentence works without it. */
export type Detail = Readonly<Record<string, unknown>>

type Sentence = {
  /** The verb for a completed action, and for one that was denied, failed or has no outcome. */
  verbs: readonly [done: string, tried: string]
  object: (detail: Detail) => string
}

/** A member of the detail as text; empty if missing. */
const text = (detail: Detail, name: string): string => {
  const value = detail[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const field = (detail: Detail, name: string): string => text(detail, `field.${name}`)

const phrase = (done: string, tried: string, object: string | Sentence['object']): Sentence => ({
  verbs: [done, tried],
  object: typeof object === 'string' ? () => object : object,
})

/** `named` with the member in place of `%`; `plain` if the member is missing. */
const naming =
  (name: string, named: string, plain: string): Sentence['object'] =>
  (detail) => {
    const value = text(detail, name)
    return value === '' ? plain : named.replace('%', () => value)
  }

const read = (object: string): Sentence => phrase('Read', 'Read', object)

const switched = (what: string): Sentence =>
  phrase('Turned', 'Turn', (detail) => {
    const status = field(detail, 'status')
    if (status === '') return `${what} on or off`
    return `${what} ${status === '1' || status === 'true' ? 'on' : 'off'}`
  })

const several =
  (one: string, many: string): Sentence['object'] =>
  (detail) => {
    const ids = field(detail, 'ids')
    return ids === '' ? many : `${ids.includes(', ') ? many : one} ${ids}`
  }

const renaming: Sentence = phrase('Changed', 'Change', (detail) => {
  const [name, dns] = [field(detail, 'name'), field(detail, 'dns')]
  if (name === '') return 'the name or DNS provider'
  return name === text(detail, 'name') ? `the DNS provider to ${dns || 'none'}` : `the name to ${name}`
})

const job = (plain: string): Sentence['object'] => naming('about', 'the cron job %', plain)
const rule = (plain: string): Sentence['object'] => naming('about', 'the rule %', plain)

const sentences: Readonly<Record<Exclude<OperationId, ToldOperationId> | OwnAction, Sentence>> = {
  'servers.list': read('the list of servers'),
  'servers.create': phrase('Added', 'Add', 'a server'),
  'servers.install': phrase('Installed', 'Install', 'the server'),
  'servers.summary': read('the summary of the server'),
  'servers.update': renaming,
  'servers.setHostname': phrase('Set', 'Set', naming('field.hostname', 'the hostname to %', 'the hostname')),
  'servers.resetKey': phrase('Rotated', 'Rotate', 'the SSH key'),
  'servers.delete': phrase('Deleted', 'Delete', 'the server'),
  'cron.list': read('the cron jobs'),
  'cron.save': phrase('Saved', 'Save', job('a cron job')),
  'cron.delete': phrase('Deleted', 'Delete', job('a cron job')),
  'users.list': read('the system users'),
  'users.save': phrase('Saved', 'Save', naming('field.user', 'the system user %', 'a system user')),
  'users.delete': phrase('Deleted', 'Delete', naming('field.user', 'the system user %', 'a system user')),
  'firewall.get': read('the firewall rules'),
  'firewall.toggle': switched('the firewall'),
  'firewall.saveRule': phrase('Saved', 'Save', rule('a firewall rule')),
  'firewall.deleteRule': phrase('Deleted', 'Delete', rule('a firewall rule')),
  'logs.fetch': phrase('Read', 'Read', naming('field.log', 'the log %', 'a log')),
  'mail.list': read('the mail queue'),
  'mail.delete': phrase('Deleted', 'Delete', several('the queued message', 'queued messages')),
  'serverBackups.list': read('the backups'),
  'serverBackups.delete': phrase('Deleted', 'Delete', several('the backup', 'backups')),
  'sites.list': read('the list of sites'),
  'sites.create': phrase('Created', 'Create', naming('field.domain', 'the site %', 'a site')),
  'sites.summary': read('the summary of the site'),
  'sites.settings': read('the settings of the site'),
  'sites.download': phrase('Requested', 'Request', 'an archive of the site'),
  'sites.delete': phrase('Deleted', 'Delete', 'the site'),
  'ssl.set': switched('SSL'),
  'database.get': read('the database'),
  'database.tables': read('the tables of the database'),
  'database.save': phrase('Set', 'Set', 'the database password'),
  'apps.get': read('the application'),
  'apps.pull': phrase('Copied', 'Copy', 'the live site to staging'),
  'apps.push': phrase('Replaced', 'Replace', 'the live site with staging'),
  'apps.install': phrase('Installed', 'Install', 'an application'),
  'aliases.list': read('the aliases'),
  'aliases.save': phrase('Added', 'Add', naming('field.alias', 'the alias %', 'an alias')),
  'aliases.delete': phrase('Deleted', 'Delete', naming('field.alias', 'the alias %', 'an alias')),
  'backups.list': read('the backups of the site'),
  'backups.create': phrase('Backed up', 'Back up', 'the site'),
  'backups.restore': phrase('Restored', 'Restore', naming('field.restore', 'the site from %', 'the site from a backup')),
  'backups.delete': phrase('Deleted', 'Delete', several('the backup', 'backups of the site')),
  'email.get': read('the mailboxes'),
  'email.set': switched('email'),
  'email.save': phrase('Saved', 'Save', naming('field.user', 'the mailbox %', 'a mailbox')),
  'email.delete': phrase('Deleted', 'Delete', naming('field.user', 'the mailbox %', 'a mailbox')),
  'session.signIn': phrase('Signed', 'Sign', 'in'),
  'session.signOut': phrase('Signed', 'Sign', 'out'),
  'session.stepUp': phrase('Confirmed', 'Confirm', 'the password'),
  'session.end': phrase('Ended', 'End', 'a session'),
  'session.endOthers': phrase('Ended', 'End', 'all other sessions'),
  'person.changePassword': phrase('Changed', 'Change', 'the password'),
  'person.rename': phrase('Changed', 'Change', naming('name', 'the name to %', 'the name')),
  'owner.setUp': phrase('Set up', 'Set up', 'Gatehouse'),
  'owner.recoverLink': phrase('Created', 'Create', 'a recovery link'),
  'owner.recover': phrase('Chose', 'Choose', 'a new password with a recovery link'),
  'key.rotate': phrase('Replaced', 'Replace', 'the master key'),
  'key.retire': phrase('Retired', 'Retire', 'the old master key'),
  'retention.prune': phrase('Deleted', 'Delete', 'entries past their retention'),
  'connection.open': phrase('Opened', 'Open', 'the API key of a connection'),
  'connection.add': phrase('Added', 'Add', 'a connection'),
  'connection.create': phrase('Added', 'Add', 'a connection'),
  'connection.check': phrase('Checked', 'Check', 'a connection'),
  'connection.rename': phrase('Renamed', 'Rename', 'a connection'),
  'connection.replaceKey': phrase('Replaced', 'Replace', 'the API key of a connection'),
  'connection.remove': phrase('Removed', 'Remove', 'a connection'),
  'servers.show': phrase('Looked at', 'Look at', 'a server'),
  'jobs.show': phrase('Looked at', 'Look at', 'a job'),
  'jobs.stopFollowing': phrase('Stopped', 'Stop', 'following the install'),
  'labels.add': phrase('Added', 'Add', naming('label', 'the label “%”', 'a label')),
  'labels.remove': phrase('Removed', 'Remove', naming('label', 'the label “%”', 'a label')),
  'activity.undo': phrase('Undid', 'Undo', 'a change'),
}

/** Operations whose definition contains the words. */
const told = operations.flatMap(({ id, activity }): [string, Sentence][] => (activity ? [[id, phrase(...activity)]] : []))

const known: ReadonlyMap<string, Sentence> = new Map([...Object.entries(sentences), ...told])

/** For actions of another version of Gatehouse that this one does not know. */
const unknown = phrase('Did', 'Do', 'something this version of Gatehouse doesn’t know')

/** "Deleted the rule ALLOW 22/tcp from Anywhere"; or "Delete the rule …", shown next to its outcome, if it was not done. */
export function describeAction(action: string, detail: Detail, result: string): string {
  const { verbs, object } = known.get(action) ?? unknown
  return showBidiControls(`${result === 'done' ? verbs[0] : verbs[1]} ${object(detail)}`)
}

/** All action names that an entry may have. */
export const actionNames: readonly string[] = [...operations.map(({ id }) => id), ...ownActions]
