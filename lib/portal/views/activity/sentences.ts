/** The audit log as sentences: "Turned the firewall off". Covers every operation and every event. */
import 'server-only'
import { findOperation, type OperationId, operations, type ToldOperationId } from '@/lib/contract'
import { type OwnAction, ownActions } from '@/lib/portal/audit/own-actions'
import type { Detail } from '@/lib/portal/audit/read-detail'
import { showBidiControls } from '@/lib/text/bidi'
import { toReadableName } from '@/lib/text/idn'

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
    return value === '' ? plain : named.replace('%', () => toReadableName(value))
  }

const read = (object: string): Sentence => phrase('Read', 'Read', object)

const switched = (what: string): Sentence =>
  phrase('Turned', 'Turn', (detail) => {
    const status = field(detail, 'status')
    if (status === '') return `${what} on or off`
    return `${what} ${isSwitchedOn(detail, 'status') ? 'on' : 'off'}`
  })

const isSwitchedOn = (detail: Detail, name: string): boolean => ['1', 'true', 'on'].includes(field(detail, name))

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

/** What a server did by its own timers, with what it says about that, and when, if the entry is much later. */
const happened =
  (what: string, before = '. '): Sentence['object'] =>
  (detail) => {
    // The name of the server follows.
    const about = text(detail, 'about').replace(/\.$/, '')
    const [site, at] = [text(detail, 'label'), text(detail, 'happened')]
    return `${what}${site && ` of ${site}`}${at && ` on ${at}`}${about && `${before}${about}`}`
  }

const job = (plain: string): Sentence['object'] => naming('about', 'the cron job %', plain)
const rule = (plain: string): Sentence['object'] => naming('about', 'the rule %', plain)

/** "the settings to PHP 8.4, uploads of 64 MB, memory of 256 MB and the folder public/web". */
const siteSettings: Sentence['object'] = (detail) => {
  const [php, upload, memory, folder] = ['php', 'upload_limit', 'memory_limit', 'folder'].map((name) => field(detail, name))
  if (!php) return 'the settings'
  const path = ['public', ...(folder ?? '').split('/').filter(Boolean)].join('/')
  const [workers, waiting] = ['workers', 'waiting'].map((name) => field(detail, name))
  const requests = workers && waiting ? `, ${workers} requests at the same time, ${waiting} waiting` : ''
  const hsts = field(detail, 'hsts')
  const insists = hsts && hsts !== '0' ? `, HSTS of ${hsts} seconds` : ''
  const mails = field(detail, 'mail_per_hour')
  const mail = mails ? `, ${mails} mails an hour` : ''
  return `the settings to PHP ${php}, uploads of ${upload} MB, memory of ${memory} MB${requests}${mail}${insists} and the folder ${path}`
}

/** "the files and the tables wp_posts, wp_options"; empty if no part is known. The audit log cuts long lists. */
function copiedParts(detail: Detail): string {
  const tables = field(detail, 'tables')
  const database =
    tables === '' ? 'the database' : tables.length >= 200 ? 'many tables' : `the ${tables.includes(',') ? 'tables' : 'table'} ${tables}`
  return [isSwitchedOn(detail, 'files') ? 'the files' : '', isSwitchedOn(detail, 'database') ? database : ''].filter(Boolean).join(' and ')
}

/** In words that also fit the first pull, which makes the staging copy. */
const pulled: Sentence['object'] = (detail) => {
  const parts = copiedParts(detail)
  if (parts !== '') return `the staging copy to ${parts} of the live site`
  return isSwitchedOn(detail, 'new_password') ? 'the password of the staging copy' : 'the staging copy to the live site'
}

const pushed: Sentence['object'] = (detail) => {
  const parts = copiedParts(detail)
  return parts === '' ? 'the live site with staging' : `${parts} of the live site with those of staging`
}

/** `about` is the site if the system user is a site's. */
const savedUser: Sentence['object'] = (detail) =>
  naming('about', 'the SFTP password of %', naming('field.user', 'the system user %', 'a system user')(detail))(detail)

/** "the site example.org from the last backup x.tar.zst". */
const createdSite: Sentence['object'] = (detail) => {
  const site = naming('field.domain', 'the site %', 'a site')(detail)
  return naming('field.backup', `${site} from the last backup %`, site)(detail)
}

/** "the site from the backup x.tar.zst, after backing up its current state". */
const restoredSite: Sentence['object'] = (detail) => {
  const from = naming('field.restore', 'the site from the backup %', 'the site from a backup')(detail)
  return isSwitchedOn(detail, 'backup_first') ? `${from}, after backing up its current state` : from
}

/** "the email address info, forwarding to anna@example.net". */
const savedAddress: Sentence['object'] = (detail) => {
  const address = naming('field.user', 'the email address %', 'an email address')(detail)
  const destination = field(detail, 'destination')
  return destination === '' ? address : `${address}, forwarding to ${destination}`
}

/** "email on, although DNS names another mail server". */
const switchedEmail: Sentence = {
  verbs: switched('email').verbs,
  object: (detail) =>
    `${switched('email').object(detail)}${isSwitchedOn(detail, 'anyway') ? ', although DNS names another mail server' : ''}`,
}

const roleOf = (detail: Detail): string => {
  const role = text(detail, 'role')
  return role === '' ? '' : ` as ${role.charAt(0).toUpperCase()}${role.slice(1)}`
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** " until 27 Nov 2026", or nothing. */
const untilOf = (detail: Detail): string => {
  const until = text(detail, 'until')
  return /^\d{4}-\d{2}-\d{2}$/.test(until) ? ` until ${day.format(new Date(until))}` : ''
}

/** "ana@example.org", "everyone with the role Operator", "a member". */
const holderOf = (detail: Detail): string => {
  const [email, role] = [text(detail, 'email'), roleOf(detail).replace(' as ', '')]
  return email || (role === '' ? 'a member' : `everyone with the role ${role}`)
}

/** " to view the backups of shop.example, until 2026-11-27 at 18:00 UTC"; empty for entries that say nothing of it. */
const accessOf = (detail: Detail): string => {
  const [about, from, until, was] = ['about', 'from', 'until', 'was'].map((name) => text(detail, name))
  if (!about) return ''
  return ` to ${about}${from && `, from ${from}`}${until && `, until ${until}`}${was && ` (before: ${was})`}`
}

/** "; reason: Moves the shop", or nothing. */
const whyOf = (detail: Detail): string => (text(detail, 'why') === '' ? '' : `; reason: ${text(detail, 'why')}`)

/** " to view the backups of shop.example, for 1 hour; reason: Moves the shop". */
const askedOf = (detail: Detail): string => {
  const [about, long] = [text(detail, 'about'), text(detail, 'until')]
  return about === '' ? '' : ` to ${about}${long && `, ${long}`}${whyOf(detail)}`
}

/** What was given, until when, and what was asked for if that is something else. */
const approvedOf = (detail: Detail): string => {
  const [about, until, was] = [text(detail, 'about'), text(detail, 'until'), text(detail, 'was')]
  if (about === '') return ''
  return ` to ${about}${until && `, until ${until}`}${was === '' || was === about ? '' : ` (asked for: ${was})`}`
}

/** Whom a connection is lent to, as the detail says it. */
const borrowerOf = (detail: Detail): string => (text(detail, 'purpose') === 'team' ? 'the whole team' : holderOf(detail))

/** An address with the role and the end that it was invited with. */
const invited =
  (before: string, plain: string): Sentence['object'] =>
  (detail) =>
    text(detail, 'email') === '' ? plain : `${before}${text(detail, 'email')}${roleOf(detail)}${untilOf(detail)}`

const channelOf = naming('label', 'the channel %', 'a channel')

const backupTargetOf = naming('label', 'the backup target %', 'a backup target')

/** name: of the server or site; empty for the team. */
const copiesOf: Sentence['object'] = (detail) => `the copies of ${text(detail, 'name') || 'all sites'}`

/** "2 notifications to the channel Pager", "the morning digest to the channel Pager". */
const deliveredOf: Sentence['object'] = (detail) => {
  const count = text(detail, 'count')
  const events = count === '' || count === '0' ? 'a message' : `${count} ${count === '1' ? 'notification' : 'notifications'}`
  const what = { test: 'a test', digest: 'the morning digest' }[text(detail, 'purpose')] ?? events
  return `${what} to ${channelOf(detail)}`
}
/** "the request to delete a site", with what was said or sealed. */
const heldRequest =
  (plain: string, more: Sentence['object'] = () => ''): Sentence['object'] =>
  (detail) => {
    const [about, name] = [text(detail, 'about'), text(detail, 'name')]
    const task = findOperation(about)?.description.replace(/\.$/, '') ?? (about === '' ? '' : name)
    return `${plain}${task && ` to ${task.charAt(0).toLowerCase()}${task.slice(1)}`}${more(detail)}`
  }

const sentences: Readonly<Record<Exclude<OperationId, ToldOperationId> | OwnAction, Sentence>> = {
  'servers.list': read('the list of servers'),
  'servers.create': phrase('Added', 'Add', 'a server'),
  'servers.install': phrase('Installed', 'Install', 'the server'),
  'servers.applyUpdates': phrase('Installed', 'Install', (detail) =>
    isSwitchedOn(detail, 'security') ? 'the security updates' : 'the updates',
  ),
  'servers.vitals': read('the current usage of the server'),
  'servers.summary': read('the summary of the server'),
  'servers.update': renaming,
  'servers.setHostname': phrase('Set', 'Set', naming('field.hostname', 'the hostname to %', 'the hostname')),
  'servers.resetKey': phrase('Rotated', 'Rotate', 'the SSH key'),
  'servers.delete': phrase('Deleted', 'Delete', 'the server'),
  'services.list': read('the services of the server'),
  'services.restart': phrase('Restarted', 'Restart', naming('field.unit', 'the service %', 'a service')),
  'cron.list': read('the cron jobs'),
  'cron.save': phrase('Saved', 'Save', job('a cron job')),
  'cron.delete': phrase('Deleted', 'Delete', job('a cron job')),
  'users.list': read('the system users'),
  'users.save': phrase('Saved', 'Save', savedUser),
  'users.delete': phrase('Deleted', 'Delete', naming('field.user', 'the system user %', 'a system user')),
  'firewall.get': read('the firewall rules'),
  'firewall.toggle': switched('the firewall'),
  'servers.upgradeAtNight': switched('nightly updates of older sites'),
  'firewall.saveRule': phrase('Saved', 'Save', rule('a firewall rule')),
  'firewall.deleteRule': phrase('Deleted', 'Delete', rule('a firewall rule')),
  'logs.fetch': phrase('Read', 'Read', naming('field.log', 'the log %', 'a log')),
  'logs.fetchSite': phrase('Read', 'Read', naming('field.log', 'the log %', 'a log')),
  'mail.list': read('the mail queue'),
  'mail.delete': phrase('Deleted', 'Delete', several('the queued message', 'queued messages')),
  'serverBackups.list': read('the backups'),
  'serverBackups.copy': phrase(
    'Copied',
    'Copy',
    naming('about', 'the newest backup of the server itself to %', 'the newest backup of the server itself'),
  ),
  'serverBackups.delete': phrase('Deleted', 'Delete', several('the backup', 'backups')),
  'lastBackups.list': read('the last backups of deleted sites'),
  'lastBackups.delete': phrase('Deleted', 'Delete', several('the last backup', 'last backups')),
  'sites.list': read('the list of sites'),
  'sites.create': phrase('Created', 'Create', createdSite),
  'sites.summary': read('the summary of the site'),
  'sites.traffic': read('the requests of the site'),
  'sites.settings': read('the settings of the site'),
  'sites.configure': phrase('Changed', 'Change', siteSettings),
  'sites.download': phrase('Requested', 'Request', 'an archive of the site'),
  'sites.delete': phrase(
    'Deleted',
    'Delete',
    (detail) => `the site${isSwitchedOn(detail, 'without_backup') ? ' without a last backup' : ''}`,
  ),
  'ssl.set': switched('SSL'),
  'database.get': read('the database'),
  'database.tables': read('the tables of the database'),
  'database.save': phrase('Set', 'Set', 'the database password'),
  'apps.get': read('the application'),
  'apps.staging': read('the staging copy'),
  'apps.pull': phrase('Set', 'Set', pulled),
  'apps.push': phrase('Replaced', 'Replace', pushed),
  'apps.install': phrase('Installed', 'Install', naming('about', 'the app %', 'an app')),
  'aliases.list': read('the aliases'),
  'aliases.save': phrase('Added', 'Add', naming('field.alias', 'the alias %', 'an alias')),
  'aliases.delete': phrase('Deleted', 'Delete', naming('field.alias', 'the alias %', 'an alias')),
  'backups.list': read('the backups of the site'),
  'backups.create': phrase('Backed up', 'Back up', 'the site'),
  'copies.make': phrase('Copied', 'Copy', naming('about', 'the newest backup of the site to %', 'the newest backup of the site')),
  'copies.restore': phrase('Restored', 'Restore', naming('about', 'the site from the copy in %', 'the site from a copy')),
  'copies.prune': phrase('Deleted', 'Delete', naming('about', '%', 'old copies')),
  'copies.prove': phrase('Proved', 'Prove', naming('about', 'the copy of the site in %', 'a copy of the site')),
  'backups.restore': phrase('Restored', 'Restore', restoredSite),
  'backups.delete': phrase('Deleted', 'Delete', several('the backup', 'backups of the site')),
  'sftp.list': read('the SFTP keys'),
  'sftp.save': phrase('Added', 'Add', naming('about', 'the SFTP key %', 'an SFTP key')),
  'sftp.delete': phrase('Removed', 'Remove', naming('about', 'the SFTP key %', 'an SFTP key')),
  'email.get': read('the email addresses'),
  'email.set': switchedEmail,
  'email.save': phrase('Saved', 'Save', savedAddress),
  'email.delete': phrase('Deleted', 'Delete', naming('field.user', 'the email address %', 'an email address')),
  'session.signIn': phrase('Signed', 'Sign', naming('via', 'in with %', 'in')),
  'session.signOut': phrase('Signed', 'Sign', 'out'),
  'session.stepUp': phrase('Confirmed', 'Confirm', naming('via', 'their identity with %', 'the password')),
  'session.secondFactor': phrase('Signed', 'Sign', naming('via', 'in with %', 'in with a second factor')),
  'session.end': phrase('Ended', 'End', 'a session'),
  'session.endOthers': phrase('Ended', 'End', 'all other sessions'),
  'person.changePassword': phrase('Changed', 'Change', 'the password'),
  'person.rename': phrase('Changed', 'Change', naming('name', 'the name to %', 'the name')),
  'person.startTotp': phrase('Started', 'Start', 'setting up an authenticator app'),
  'person.addTotp': phrase('Set up', 'Set up', 'an authenticator app'),
  'person.removeTotp': phrase('Removed', 'Remove', 'the authenticator app'),
  'person.renewRecoveryCodes': phrase('Replaced', 'Replace', 'the recovery codes'),
  'person.addPasskey': phrase('Added', 'Add', 'a passkey'),
  'person.renamePasskey': phrase('Renamed', 'Rename', naming('label', 'a passkey to %', 'a passkey')),
  'person.removePasskey': phrase('Removed', 'Remove', naming('label', 'the passkey %', 'a passkey')),
  'person.connectProvider': phrase(
    'Connected',
    'Connect',
    naming('address', 'the account with %', 'the account with an identity provider'),
  ),
  'person.disconnectProvider': phrase(
    'Disconnected',
    'Disconnect',
    naming('address', 'the account from %', 'the account from an identity provider'),
  ),
  'owner.setUp': phrase('Set up', 'Set up', 'Gatehouse'),
  'owner.recoverLink': phrase('Created', 'Create', 'a recovery link'),
  'owner.recover': phrase('Chose', 'Choose', 'a new password with a recovery link'),
  'key.rotate': phrase('Replaced', 'Replace', 'the master key'),
  'key.retire': phrase('Retired', 'Retire', 'the old master key'),
  'retention.prune': phrase('Deleted', 'Delete', 'entries past their retention'),
  'portal.backup': phrase('Made', 'Make', naming('about', 'a backup of the %', 'a backup')),
  'connection.open': phrase('Opened', 'Open', 'the API key of a connection'),
  'connection.add': phrase('Added', 'Add', 'a connection'),
  'connection.create': phrase('Added', 'Add', 'a connection'),
  'connection.check': phrase('Checked', 'Check', 'a connection'),
  'connection.rename': phrase('Renamed', 'Rename', 'a connection'),
  'connection.replaceKey': phrase('Replaced', 'Replace', 'the API key of a connection'),
  'connection.remove': phrase('Removed', 'Remove', 'a connection'),
  'connection.freeze': phrase('Froze', 'Freeze', 'a connection'),
  'connection.thaw': phrase('Thawed', 'Thaw', 'a connection'),
  'connection.lend': phrase('Lent', 'Lend', (detail) => `a connection to ${borrowerOf(detail)}${accessOf(detail)}`),
  'connection.changeLoan': phrase('Changed', 'Change', (detail) => `the loan of a connection to ${borrowerOf(detail)}${accessOf(detail)}`),
  'connection.endLoan': phrase('Ended', 'End', (detail) => `the loan of a connection to ${borrowerOf(detail)}${accessOf(detail)}`),
  'servers.show': phrase('Looked at', 'Look at', 'a server'),
  'sites.show': phrase('Looked at', 'Look at', 'a site'),
  'jobs.show': phrase('Looked at', 'Look at', 'a job'),
  'jobs.showCredentials': phrase('Saw', 'See', 'the sign-in details that a job returned'),
  'jobs.stopFollowing': phrase('Stopped', 'Stop', 'following a job'),
  'jobs.retry': phrase('Started', 'Start', 'a job again'),
  'batches.start': phrase('Started', 'Start', naming('name', 'the batch “%”', 'a batch')),
  'batches.stop': phrase('Stopped', 'Stop', naming('name', 'the batch “%”', 'a batch')),
  'batches.show': phrase('Looked at', 'Look at', 'a batch'),
  'labels.add': phrase('Added', 'Add', naming('label', 'the label “%”', 'a label')),
  'labels.remove': phrase('Removed', 'Remove', naming('label', 'the label “%”', 'a label')),
  'activity.undo': phrase('Undid', 'Undo', 'a change'),
  'member.add': phrase('Added', 'Add', invited('', 'a member')),
  'member.changeRole': phrase('Changed', 'Change', (detail) =>
    text(detail, 'role') === '' ? 'a role' : `the role of ${text(detail, 'email')} to ${roleOf(detail).replace(' as ', '')}`,
  ),
  'member.setEnd': phrase('Set', 'Set', (detail) =>
    text(detail, 'email') === ''
      ? 'the end of a membership'
      : `the membership of ${text(detail, 'email')} to last${untilOf(detail) || ' without an end'}`,
  ),
  'member.disable': phrase('Disabled', 'Disable', naming('email', 'the account %', 'an account')),
  'member.enable': phrase('Enabled', 'Enable', naming('email', 'the account %', 'an account')),
  'member.remove': phrase('Removed', 'Remove', naming('email', '% from the team', 'a member')),
  'member.end': phrase('Ended', 'End', naming('email', 'the membership of % as planned', 'a membership')),
  'member.resetLink': phrase('Created', 'Create', naming('email', 'a reset link for %', 'a reset link')),
  'member.changeEmail': phrase('Changed', 'Change', (detail) =>
    text(detail, 'address') === '' ? 'the address of a member' : `the address of ${text(detail, 'email')} to ${text(detail, 'address')}`,
  ),
  'member.removeSecondFactor': phrase('Removed', 'Remove', naming('email', 'the second factor of %', 'a second factor')),
  'person.requestEmail': phrase(
    'Requested',
    'Request',
    naming('address', 'a change of the email address to %', 'a change of the email address'),
  ),
  'person.changeEmail': phrase('Changed', 'Change', naming('address', 'the email address to %', 'the email address')),
  'access.give': phrase('Gave', 'Give', (detail) => `${holderOf(detail)} access${accessOf(detail)}`),
  'access.change': phrase('Changed', 'Change', (detail) => `the access of ${holderOf(detail)}${accessOf(detail)}`),
  'access.end': phrase('Ended', 'End', (detail) => `the access of ${holderOf(detail)}${accessOf(detail)}`),
  'access.ask': phrase('Asked', 'Ask', (detail) => `for access${askedOf(detail)}`),
  'access.withdraw': phrase('Withdrew', 'Withdraw', (detail) => `the request for access${accessOf(detail)}`),
  'access.approve': phrase('Approved', 'Approve', (detail) => `access for ${holderOf(detail)}${approvedOf(detail)}`),
  'access.refuse': phrase(
    'Refused',
    'Refuse',
    (detail) => `the request of ${holderOf(detail)} for access${accessOf(detail)}${whyOf(detail)}`,
  ),
  'access.expire': phrase('Closed', 'Close', (detail) =>
    text(detail, 'state') === 'closed' ? 'a request for access of somebody who left' : 'a request for access that nobody answered',
  ),
  'team.requireSecondFactor': phrase('Required', 'Require', 'a second factor of every member'),
  'team.waiveSecondFactor': phrase('Stopped', 'Stop', 'requiring a second factor of every member'),
  'member.roleByClaim': phrase('Changed', 'Change', (detail) =>
    text(detail, 'role') === ''
      ? 'a role as the identity provider says'
      : `the role of ${text(detail, 'email')} to ${roleOf(detail).replace(' as ', '')}, as the identity provider says`,
  ),
  'team.requireSingleSignOn': phrase('Turned', 'Turn', naming('state', 'required single sign-on %', 'required single sign-on on or off')),
  'team.setIdleSignOut': phrase(
    'Set',
    'Set',
    naming('count', 'the sign-out to % minutes without activity', 'the sign-out after a time without activity'),
  ),
  'person.requestReset': phrase('Requested', 'Request', naming('email', 'a reset link for %', 'a reset link')),
  'person.resetPassword': phrase(
    'Chose',
    'Choose',
    naming('email', 'a new password for % with a reset link', 'a new password with a reset link'),
  ),
  'event.backup': phrase('Made', 'Make', happened('the nightly backup')),
  'event.renewal': phrase('Renewed', 'Renew', happened('the certificate')),
  'event.updates': phrase('Installed', 'Install', happened('updates automatically', ': ')),
  'event.reboot': phrase('Rebooted', 'Reboot', happened('the server')),
  'invitation.create': phrase('Invited', 'Invite', invited('', 'a member')),
  'invitation.resend': phrase('Resent', 'Resend', invited('the invitation of ', 'an invitation')),
  'invitation.revoke': phrase('Revoked', 'Revoke', naming('email', 'the invitation of %', 'an invitation')),
  'invitation.accept': phrase('Accepted', 'Accept', invited('the invitation of ', 'an invitation')),
  'team.setSecondPerson': phrase('Changed', 'Change', (detail) => {
    const [was, state] = [text(detail, 'was') || 'nothing', text(detail, 'state') || 'nothing']
    return was === state ? 'what needs a second person' : `what needs a second person from ${was} to ${state}`
  }),
  'approval.ask': phrase('Asked', 'Ask', heldRequest('for a second person')),
  'approval.approve': phrase(
    'Approved',
    'Approve',
    heldRequest(
      'a held request',
      (detail) => `${naming('until', ', to be sent on %', '')(detail)}${naming('digest', ', digest %', '')(detail)}`,
    ),
  ),
  'approval.pass': phrase(
    'Went',
    'Go',
    heldRequest('without a second person', (detail) => `${naming('why', ': %', '')(detail)}${naming('digest', ', digest %', '')(detail)}`),
  ),
  'approval.refuse': phrase('Refused', 'Refuse', heldRequest('a held request', naming('why', ': %', ''))),
  'approval.withdraw': phrase('Withdrew', 'Withdraw', heldRequest('a held request')),
  'approval.take': phrase('Took', 'Take', 'what a second person approved'),
  'approval.expire': phrase('Ended', 'End', (detail) =>
    heldRequest(detail.was === 'ready' ? 'a request that was approved and not taken in time' : 'a request that nobody approved in time')(
      detail,
    ),
  ),
  'activity.export': phrase('Downloaded', 'Download', 'the activity as CSV'),
  'archive.download': phrase('Downloaded', 'Download', 'the archive of the site'),
  'channel.add': phrase('Added', 'Add', channelOf),
  'channel.change': phrase('Changed', 'Change', channelOf),
  'channel.takeOver': phrase('Took over', 'Take over', channelOf),
  'channel.turnOn': phrase('Turned on', 'Turn on', channelOf),
  'channel.turnOff': phrase('Turned off', 'Turn off', channelOf),
  'channel.test': phrase('Tested', 'Test', channelOf),
  'channel.remove': phrase('Removed', 'Remove', channelOf),
  'channel.deliver': phrase('Sent', 'Send', deliveredOf),
  'channel.repeat': phrase('Sent', 'Send', (detail) => `a message again to ${channelOf(detail)}`),
  'backupTarget.add': phrase('Added', 'Add', backupTargetOf),
  'backupTarget.test': phrase('Tested', 'Test', backupTargetOf),
  'backupTarget.rename': phrase(
    'Renamed',
    'Rename',
    (detail) => `${naming('name', 'the backup target %', 'a backup target')(detail)}${naming('label', ' to %', '')(detail)}`,
  ),
  'backupTarget.replaceKeys': phrase('Replaced', 'Replace', (detail) => `the keys of ${backupTargetOf(detail)}`),
  'backupTarget.remove': phrase('Removed', 'Remove', backupTargetOf),
  'backupTarget.kit': phrase('Downloaded', 'Download', (detail) => `the recovery kit of ${backupTargetOf(detail)}`),
  'backupTarget.confirmKit': phrase('Confirmed', 'Confirm', (detail) => `having the recovery kit of ${backupTargetOf(detail)}`),
  'backupPlan.set': phrase(
    'Scheduled',
    'Schedule',
    (detail) => `${copiesOf(detail)}${naming('label', ' to %', '')(detail)}${naming('about', ', %', '')(detail)}`,
  ),
  'backupPlan.exclude': phrase('Excluded', 'Exclude', (detail) => `${text(detail, 'name') || 'all sites'} from scheduled copies`),
  'backupPlan.remove': phrase('Removed', 'Remove', (detail) => `the schedule for ${copiesOf(detail)}`),
  'backupPlan.pause': phrase('Paused', 'Pause', (detail) => `the schedule for ${copiesOf(detail)}${naming('why', ': %', '')(detail)}`),
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
