/** The right fields of every action, with what the action needs, and the least role that may do it. */
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { sealChannel } from '@/lib/portal/custody/channel'
import type { Role } from '@/lib/portal/identity/actor'
import { createLink } from '@/lib/portal/identity/one-time-link'
import { hashPassword } from '@/lib/portal/identity/password'
import { openSession } from '@/lib/portal/identity/session'
import { draftConnection, keepConnection } from '@/lib/portal/subjects/connections/create'
import { siteDetails } from '@/lib/portal/subjects/sites/details'
import { backupTargetCases, freshTarget } from './backup-target-cases'
import type { Case, Fields } from './case'
import type { Estate, Person } from './estate'

export type { Fields } from './case'

const newId = () => randomBytes(16).toString('base64url')
const password = 'nine lanterns over the weir'

const keyOf = (letter: string, comment: string) =>
  `ssh-ed25519 ${Buffer.concat([Buffer.from('0000000b7373682d6564323535313900000020', 'hex'), Buffer.alloc(32, letter)]).toString('base64')} ${comment}`
const plantedKey = keyOf('p', 'planted')
const presentKey = { fingerprint: `SHA256:${'A'.repeat(43)}`, type: 'ssh-ed25519', comment: 'present', key: keyOf('q', 'present') }

/** A server of the first team that no other test uses, and its fields. */
export async function freshServer({ teams: { ours } }: Estate): Promise<{ serverId: string; confirmName: string }> {
  const name = `web-${newId().slice(0, 8).toLowerCase()}`
  const upstreamId = ours.upstream.addServer({ name, state: 'ready' })
  const serverId = newId()
  const connections = { create: { connectionId: ours.connectionId, provenAt: new Date() } }
  // As the service lists it, so that the next list changes nothing.
  const { dns, provider, hostname, hostKey, host: address } = ours.upstream.model.servers.get(upstreamId) ?? {}
  const listed = {
    name,
    dns: dns ?? '',
    provider: provider ?? '',
    hostname: hostname ?? '',
    hostKey: hostKey ?? '',
    address: address ?? '',
  }
  const place = { teamId: ours.id, origin: ours.upstream.origin, upstreamId, state: 'ready' }
  await db().server.create({ data: { id: serverId, ...place, ...listed, listedAt: new Date(), connections } })
  return { serverId, confirmName: name }
}

/** A site of the first team that no other test uses. */
async function freshSite({ teams: { ours }, serverId }: Estate): Promise<Fields> {
  const domain = `${newId()
    .slice(0, 8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, 'x')}.example`
  const upstreamId = ours.upstream.addSite({ domain, summary: { user: 'uploads' }, keys: [{ ...presentKey }] })
  const connections = { create: { connectionId: ours.connectionId, provenAt: new Date() } }
  const upstreamServerId = ours.upstream.model.sites.get(upstreamId)?.server ?? ''
  const details = siteDetails.write({ usage: '104857600', address: '192.0.2.10', mx: 'mail.example.org' })
  const listed = { domain, upstreamServerId, details, ssl: 'off' }
  const place = { teamId: ours.id, serverId, origin: ours.upstream.origin, upstreamId }
  const { id } = await db().site.create({ data: { id: newId(), ...place, ...listed, listedAt: new Date(), connections } })
  return { siteId: id, confirmName: domain }
}

/** A connection of the team to the first service, or the person's own, that lists nothing. */
export async function freshConnection({ teams: { ours } }: Estate, ownerId: string | null = null): Promise<Fields> {
  const label = `Connection ${newId().slice(0, 8)}`
  const place = { kind: 'foreign', origin: ours.upstream.origin, key: ours.upstream.key } as const
  const draft = await draftConnection({ teamId: ours.id, ownerId, label, ...place })
  await keepConnection(draft)
  return { connectionId: draft.id, confirmName: label }
}

async function unreadNotification({ teams }: Estate, { userId }: Person): Promise<Fields> {
  const id = newId()
  const row = { id, teamId: teams.ours.id, userId, kind: 'new_device', onceKey: id, detail: '{}' } as const
  await db().notification.create({ data: row })
  return { notificationId: id }
}

async function frozenConnection(estate: Estate): Promise<Fields> {
  const fields = await freshConnection(estate)
  await db().connection.updateMany({ where: { id: fields.connectionId ?? '' }, data: { frozenAt: new Date() } })
  return fields
}

/** A key can be added once, so the connection of the role before is removed first. */
async function newConnection({ teams: { theirs } }: Estate, keeper: 'team' | 'own'): Promise<Fields> {
  await removeAdded()
  return { label: `Added ${newId().slice(0, 8)}`, address: theirs.upstream.origin, apiKey: theirs.upstream.key, keeper }
}

export const removeAdded = () => db().connection.deleteMany({ where: { label: { startsWith: 'Added ' } } })

const cronJob = { minute: '*/7', hour: '*', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/true' }
const listedJob = { minute: '*/5', hour: '*', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/true' }
const listedRule = { id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW', from: 'Anywhere' }
const login = { host: '192.0.2.11', port: '22', user: 'root', pass: 'right' }
const registration = { provider: 'custom', dns: 'None', region: '', type: '', ...login }

const onServer = (fields: Fields) => async (estate: Estate) => ({ ...(await freshServer(estate)), ...fields })

async function otherSession({ teams }: Estate, { userId }: Person): Promise<Fields> {
  await openSession({ userId, teamId: teams.ours.id }, { peer: '127.0.0.1', userAgent: 'another browser' })
  const session = await db().session.findFirstOrThrow({ where: { userId, userAgent: 'another browser', revokedAt: null } })
  return { sessionId: session.id }
}

async function freshPasskey(_: Estate, { userId }: Person): Promise<Fields> {
  const row = { publicKey: Buffer.from('key'), counter: 0, transports: '', backedUp: false }
  const { id } = await db().passkey.create({ data: { id: newId(), userId, label: 'Key', ...row } })
  return { passkeyId: id, label: 'Another key' }
}

async function givePassword(_: Estate, { userId }: Person): Promise<Fields> {
  await db().user.update({ where: { id: userId }, data: { passwordHash: await hashPassword(password) } })
  return { current: password, password: 'ten lanterns over the weir' }
}

/** A member of the first team whom the test may change. */
const onMember =
  (fields: Fields, role: Role = 'viewer') =>
  async ({ join }: Estate) => ({ memberId: (await join('ours', role)).userId, ...fields })

const access = { subjects: 'backups', effects: 'read', where: 'everything', until: '', why: 'For the audit' }

/** A connection of this member's own, lent to the whole team or, if given, to one member. */
async function freshLoan(estate: Estate, ownerId: string, userId: string | null = null): Promise<Fields> {
  const { connectionId = '' } = await freshConnection(estate, ownerId)
  const of = { id: newId(), teamId: estate.teams.ours.id }
  await db().loan.create({ data: { ...of, connectionId, userId, ...logs } })
  return { loanId: of.id }
}

const logs = { subjects: 'logs', effects: 'read', validFrom: new Date(0), scopes: { create: { kind: 'everything' as const } } }

/** The same, lent to a member who has access to the same. */
async function loanWithAccess(estate: Estate, ownerId: string): Promise<Fields> {
  const { userId } = await estate.join('ours', 'viewer')
  await db().grant.create({ data: { id: newId(), teamId: estate.teams.ours.id, userId, ...logs } })
  return { ...(await freshLoan(estate, ownerId, userId)), access: '1' }
}

/** The access that a member was invited with. */
const onAccess =
  (fields: Fields, role: Role = 'viewer') =>
  async ({ join }: Estate) => {
    const { userId } = await join('ours', role)
    return { grantId: (await db().grant.findFirstOrThrow({ where: { userId } })).id, ...fields }
  }

/** Requests of a member for something on a new site, as they are stored. */
async function freshRequest(estate: Estate, userId: string): Promise<Fields> {
  const { siteId = '' } = await freshSite(estate)
  const id = newId()
  const asked = { placeKind: 'site', placeId: siteId, subject: 'logs', effects: 'read', why: 'Planted', page: `/sites/${siteId}` } as const
  const row = { id, teamId: estate.teams.ours.id, userId, openKey: id, expiresAt: new Date(Date.now() + 3_600_000), ...asked }
  await db().accessRequest.create({ data: row })
  return { accessRequestId: id }
}

/** With access to nothing but backups. */
async function missingAccess(estate: Estate, { userId }: Person): Promise<Fields> {
  const what = { subjects: 'backups', effects: 'read', root: false } as const
  const { count } = await db().grant.updateMany({ where: { userId }, data: what })
  if (count === 0) {
    const grant = { id: newId(), teamId: estate.teams.ours.id, userId, validFrom: new Date(), operations: '', why: 'planted', ...what }
    await db().grant.create({ data: { ...grant, scopes: { create: { kind: 'everything', about: '' } } } })
  }
  const { siteId = '' } = await freshSite(estate)
  return { place: `site ${siteId}`, what: 'logs read', minutes: '60', why: 'The shop is down', page: `/sites/${siteId}/logs` }
}

const channelFields = { kind: 'webhook', topics: 'servers', timeZone: 'UTC', label: 'Added channel' }

/** Neither a team nor a member has many, so that of the role before is removed first. */
async function newChannel(keeper: 'team' | 'own'): Promise<Fields> {
  await db().channel.deleteMany({ where: { label: channelFields.label } })
  // Nothing is sent there. A viewer's own may not be one of a private network.
  return { ...channelFields, keeper, url: 'https://hooks.lanternworks.test/hook' }
}

/** A channel of the team, or the member's own, with a message that was accepted. */
export async function freshChannel({ teams: { ours }, owner }: Estate, userId: string | null = null): Promise<Fields> {
  const identity = {
    id: newId(),
    teamId: ours.id,
    userId,
    seesAsId: userId ?? owner.userId,
    kind: 'webhook',
    place: '',
    secretVersion: 1,
  } as const
  const sealed = await sealChannel(identity, { url: `${ours.upstream.origin}/hook`, secret: 'a secret of the test' })
  const message = { id: newId(), kind: 'digest', state: 'done', dueAt: new Date() } as const
  const { label, topics } = channelFields
  await db().channel.create({ data: { ...identity, label, topics, ...sealed, deliveries: { create: message } } })
  return { ...channelFields, channelId: identity.id, deliveryId: message.id, on: 'no' }
}

/** A saved view of the member. */
async function keptView({ teams }: Estate, { userId }: Person): Promise<Fields> {
  const name = `View ${newId().slice(0, 8)}`
  await db().listView.create({ data: { teamId: teams.ours.id, userId, list: 'servers', name, query: 'q=web' } })
  return { list: 'servers', name }
}

const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

const newAddress = () => `${newId().toLowerCase()}@lanternworks.test`

/** An invitation that somebody else sent. */
async function freshInvitation({ teams, owner }: Estate): Promise<Fields> {
  const row = { teamId: teams.ours.id, email: newAddress(), role: 'viewer', tokenHash: newId(), invitedById: owner.userId } as const
  const { id } = await db().invitation.create({ data: { id: newId(), ...row, expiresAt: new Date(Date.now() + 3_600_000) } })
  return { invitationId: id }
}

async function mailedLink(_: Estate, { userId }: Person): Promise<Fields> {
  return { token: new URL(await createLink('email', userId, { email: newAddress() })).searchParams.get('token') ?? '' }
}

/** By the action's name, with what distinguishes cases of one action in brackets. */
export const cases: Record<string, Case> = {
  changePassword: { from: 'viewer', fields: givePassword },
  endOtherSessions: { from: 'viewer', fields: otherSession },
  endSession: { from: 'viewer', fields: otherSession },
  rename: { from: 'viewer', fields: () => ({ name: 'Another name' }) },
  startPasskey: { from: 'viewer', fields: () => ({}) },
  renamePasskey: { from: 'viewer', fields: freshPasskey },
  removePasskey: { from: 'viewer', fields: freshPasskey },
  askToConfirm: { from: 'viewer', fields: freshPasskey },
  saveFirstStepsHidden: { from: 'viewer', fields: () => ({ hidden: 'yes' }) },
  savePreferences: { from: 'viewer', fields: () => ({ theme: 'dark', density: 'compact', timeZone: 'UTC' }) },
  saveListColumns: { from: 'viewer', fields: () => ({ list: 'servers', columns: 'state disk' }) },
  saveListView: { from: 'viewer', fields: () => ({ list: 'servers', name: `View ${newId().slice(0, 8)}`, query: 'q=web' }) },
  deleteListView: { from: 'viewer', fields: keptView },
  'addConnection (of the team)': { from: 'admin', fields: (estate) => newConnection(estate, 'team') },
  'addConnection (their own)': { from: 'operator', fields: (estate) => newConnection(estate, 'own') },
  checkConnection: { from: 'admin', fields: (estate) => freshConnection(estate) },
  'checkConnection (their own)': { from: 'operator', fields: (estate, { userId }) => freshConnection(estate, userId) },
  renameConnection: {
    from: 'admin',
    fields: async (estate) => ({ ...(await freshConnection(estate)), label: `New ${newId().slice(0, 8)}` }),
  },
  replaceKey: { from: 'admin', fields: async (estate) => ({ ...(await freshConnection(estate)), apiKey: estate.teams.ours.upstream.key }) },
  removeConnection: { from: 'admin', fields: (estate) => freshConnection(estate) },
  freezeConnection: { from: 'admin', fields: (estate) => freshConnection(estate) },
  'freezeConnection (their own)': { from: 'operator', fields: (estate, { userId }) => freshConnection(estate, userId) },
  thawConnection: { from: 'admin', fields: (estate) => frozenConnection(estate) },
  lendConnection: {
    from: 'operator',
    fields: async (estate, { userId }) => ({ ...(await freshConnection(estate, userId)), to: 'team', ...access }),
  },
  'lendConnection (with access)': {
    from: 'admin',
    fields: async (estate, { userId }) => {
      const to = `member ${(await estate.join('ours', 'viewer')).userId}`
      return { ...(await freshConnection(estate, userId)), to, ...access, access: '1' }
    },
  },
  changeLoan: { from: 'operator', fields: async (estate, { userId }) => ({ ...(await freshLoan(estate, userId)), ...access }) },
  endLoan: { from: 'operator', fields: (estate, { userId }) => freshLoan(estate, userId) },
  'endLoan (with access)': { from: 'admin', fields: (estate, { userId }) => loanWithAccess(estate, userId) },
  'addChannel (of the team)': { from: 'admin', fields: () => newChannel('team') },
  'addChannel (their own)': { from: 'viewer', fields: () => newChannel('own') },
  changeChannel: { from: 'admin', fields: (estate) => freshChannel(estate) },
  'changeChannel (their own)': { from: 'viewer', fields: (estate, { userId }) => freshChannel(estate, userId) },
  turnChannel: { from: 'admin', fields: (estate) => freshChannel(estate) },
  'turnChannel (their own)': { from: 'viewer', fields: (estate, { userId }) => freshChannel(estate, userId) },
  testChannel: { from: 'admin', fields: (estate) => freshChannel(estate) },
  'testChannel (their own)': { from: 'viewer', fields: (estate, { userId }) => freshChannel(estate, userId) },
  repeatDelivery: { from: 'admin', fields: (estate) => freshChannel(estate) },
  'repeatDelivery (their own)': {
    from: 'viewer',
    fields: (estate, { userId }) => freshChannel(estate, userId),
    guestCode: 'not_found',
  },
  takeOverChannel: { from: 'admin', fields: (estate) => freshChannel(estate) },
  removeChannel: { from: 'admin', fields: (estate) => freshChannel(estate) },
  'removeChannel (their own)': { from: 'viewer', fields: (estate, { userId }) => freshChannel(estate, userId) },
  ...backupTargetCases,
  deleteServer: { from: 'operator', fields: onServer({}) },
  installServer: { from: 'operator', fields: onServer({}) },
  upgradeServer: { from: 'operator', fields: onServer({}) },
  upgradeServerAtNight: { from: 'operator', fields: onServer({ status: '1' }) },
  applyUpdates: { from: 'operator', fields: onServer({ security: '1' }) },
  revertUpgrade: { from: 'operator', fields: onServer({}) },
  askHostKeyAgain: { from: 'operator', fields: onServer({}) },
  resetKey: { from: 'operator', fields: onServer({ user: 'root', pass: 'right' }) },
  markRead: { from: 'viewer', fields: unreadNotification },
  markAllRead: { from: 'viewer', fields: unreadNotification },
  runConfirmed: { from: 'operator', fields: onServer({ operation: 'servers.reboot' }) },
  restartService: { from: 'operator', fields: onServer({ unit: 'apache2.service' }) },
  setHostname: { from: 'operator', fields: onServer({ hostname: 'new.example.net' }) },
  updateServer: { from: 'operator', fields: onServer({ name: 'renamed', dns: 'None' }) },
  copyServerBackup: { from: 'operator', fields: async (estate) => ({ ...(await freshTarget(estate)), ...(await freshServer(estate)) }) },
  deleteLastBackups: {
    from: 'operator',
    fields: onServer({ ids: '["gone.example-20261120-000000-delete.tar.zst"]', confirmName: '1' }),
  },
  deleteBackups: { from: 'operator', fields: onServer({ ids: '["server-2026-11-20.tar.zst"]', confirmName: '1' }) },
  deleteCronJob: { from: 'operator', fields: onServer({ ...listedJob, line: '7' }) },
  replaceCronJob: {
    from: 'operator',
    fields: onServer({
      ...cronJob,
      'old.line': '7',
      ...Object.fromEntries(Object.entries(listedJob).map(([name, value]) => [`old.${name}`, value])),
    }),
  },
  saveCronJob: { from: 'operator', fields: onServer(cronJob) },
  deleteFirewallRule: { from: 'operator', fields: onServer({ rules: JSON.stringify([listedRule]) }) },
  saveFirewallRule: { from: 'operator', fields: onServer({ action: 'allow', from: 'any', port: '4711', protocol: 'tcp' }) },
  toggleFirewall: { from: 'operator', fields: onServer({ status: '0' }) },
  deleteSystemUser: { from: 'operator', fields: onServer({ user: 'deploy', confirmName: 'deploy' }) },
  saveSystemUser: { from: 'operator', fields: onServer({ user: 'deploy', pass: 'planted, and long' }) },
  deleteMessages: { from: 'operator', fields: onServer({ ids: '["4Xk2"]', confirmName: '1' }) },
  changeServerLabels: {
    from: 'operator',
    alone: true,
    fields: async (estate) => ({ ids: (await freshServer(estate)).serverId, label: 'night shift', change: 'add' }),
  },
  changeSiteLabels: {
    from: 'operator',
    alone: true,
    // The action reads only `ids`; the other field says that they are of a site.
    fields: async (estate) => {
      const { siteId = '' } = await freshSite(estate)
      return { siteId, ids: siteId, label: 'night shift', change: 'add' }
    },
  },
  inviteMember: { from: 'admin', fields: () => ({ email: newAddress(), role: 'viewer', endsOn: '' }) },
  resendInvitation: { from: 'admin', fields: freshInvitation },
  revokeInvitation: { from: 'admin', fields: freshInvitation },
  changeRole: { from: 'admin', fields: onMember({ role: 'operator' }) },
  'changeRole (of an owner)': { from: 'owner', fields: onMember({ role: 'viewer' }, 'owner') },
  giveAccess: {
    from: 'admin',
    fields: async ({ join }) => ({ to: `member ${(await join('ours', 'viewer')).userId}`, ...access }),
  },
  'giveAccess (to an owner)': {
    from: 'owner',
    fields: async ({ join }) => ({ to: `member ${(await join('ours', 'owner')).userId}`, ...access }),
  },
  changeAccess: { from: 'admin', fields: onAccess(access) },
  endAccess: { from: 'admin', fields: onAccess({}) },
  'endAccess (of an owner)': { from: 'owner', fields: onAccess({}, 'owner') },
  askForAccess: { from: 'viewer', fields: missingAccess },
  approveRequest: {
    from: 'admin',
    fields: async (estate) => ({ ...(await freshRequest(estate, (await estate.join('ours', 'viewer')).userId)), ...access }),
  },
  refuseRequest: {
    from: 'admin',
    fields: async (estate) => ({ ...(await freshRequest(estate, (await estate.join('ours', 'viewer')).userId)), reason: 'Not now' }),
  },
  setMembershipEnd: { from: 'admin', fields: onMember({ endsOn: inAMonth }) },
  disableMember: { from: 'admin', fields: onMember({}) },
  enableMember: {
    from: 'admin',
    fields: async (estate) => {
      const fields = await onMember({})(estate)
      await db().user.update({ where: { id: fields.memberId }, data: { disabledAt: new Date() } })
      return fields
    },
  },
  removeMember: { from: 'admin', fields: onMember({}) },
  createResetLink: { from: 'admin', fields: onMember({}) },
  changeMemberEmail: { from: 'admin', fields: async (estate) => ({ ...(await onMember({})(estate)), email: newAddress() }) },
  'changeMemberEmail (of an owner)': {
    from: 'owner',
    fields: async (estate) => ({ ...(await onMember({}, 'owner')(estate)), email: newAddress() }),
  },
  requireSecondFactor: { from: 'owner', fields: () => ({ required: 'no' }) },
  setSecondPerson: { from: 'owner', fields: () => ({ names: '' }) },
  setIdleSignOut: { from: 'owner', fields: () => ({ minutes: '30' }) },
  confirmNewEmail: { from: 'viewer', fields: mailedLink },
  askHostKey: {
    from: 'operator',
    fields: ({ teams }) => ({ connectionId: teams.ours.connectionId, name: 'new', ...registration, host_key: 'ask' }),
    code: 'host_key_unconfirmed',
  },
  createSite: { from: 'operator', fields: onServer({ domain: 'new.example', password: 'planted, and long' }) },
  deleteSite: { from: 'operator', fields: freshSite },
  setDatabasePassword: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), password: 'planted, and long' }) },
  configureSite: {
    from: 'operator',
    fields: async (estate) => ({
      ...(await freshSite(estate)),
      php: '8.4',
      upload_limit: '100',
      memory_limit: '512',
      folder: 'web',
      workers: '12',
      waiting: '20',
      www_redirect: '1',
      hsts: '0',
      mail_per_hour: '50',
    }),
  },
  setSftpPassword: {
    from: 'operator',
    ofServer: true,
    fields: async (estate) => ({ ...(await freshSite(estate)), pass: 'planted, and long' }),
  },
  saveSftpKey: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), key: plantedKey }) },
  deleteSftpKey: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), fingerprint: presentKey.fingerprint }) },
  switchSsl: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), status: '1' }) },
  renewCertificate: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), status: '1' }) },
  deleteAlias: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), alias: 'planted.example.org' }) },
  installApp: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), app: 'wordpress' }) },
  pullSite: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), files: '1' }) },
  pushSite: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), files: '1' }) },
  createBackup: { from: 'operator', fields: freshSite },
  restoreBackup: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), restore: 'backup-1.tar.gz' }) },
  deleteSiteBackups: {
    from: 'operator',
    fields: async (estate) => ({ ...(await freshSite(estate)), ids: '["backup-1.tar.gz"]', confirmName: '1' }),
  },
  copyNewestBackup: { from: 'operator', fields: async (estate) => ({ ...(await freshTarget(estate)), ...(await freshSite(estate)) }) },
  prepareArchive: { from: 'operator', fields: freshSite },
  switchEmail: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), status: '1', anyway: '0' }) },
  saveAddress: {
    from: 'operator',
    fields: async (estate) => ({
      ...(await freshSite(estate)),
      user: 'planted',
      destination: 'planted@example.net',
      password: '',
      adds: '1',
    }),
  },
  deleteAddress: { from: 'operator', fields: async (estate) => ({ ...(await freshSite(estate)), user: 'info' }) },
  createServer: {
    from: 'operator',
    fields: ({ teams }) => ({ connectionId: teams.ours.connectionId, name: `new-${newId().slice(0, 6)}`, ...registration }),
  },
}

/** Actions without a case, each with the reason. */
export const elsewhere: Record<string, string> = {
  withdrawRequest: 'needs a request that Gatehouse would close meanwhile; tests/portal/subjects/team/access-requests.test.ts',
  signOut: 'only redirects; tests/browser/security/matrix.ts',
  createSandbox: 'needs a sandbox; tests/browser/servers-list.test.ts',
  startBatch: 'continues in the background; tests/portal/batches/run.test.ts',
  stopBatch: 'needs a batch that runs; tests/portal/batches/run.test.ts',
  repeatBatch: 'needs a batch with failures; tests/portal/batches/run.test.ts',
  approveHeldRequest: 'needs a request of another member; tests/portal/approvals/approve.test.ts',
  passHeldRequest: 'needs a request of one’s own; tests/portal/approvals/pass.test.ts',
  refuseHeldRequest: 'needs a request of another member; tests/portal/approvals/approve.test.ts',
  takeHeldLink: 'needs an approved request of one’s own; tests/portal/approvals/take.test.ts',
  askForExport: 'needs the rule of the team; tests/portal/approvals/take.test.ts',
  withdrawHeldRequest: 'needs a request of one’s own; tests/portal/approvals/approve.test.ts',
  cancelJob: 'needs a job that runs; tests/portal/jobs/cancel.test.ts',
  retryJob: 'needs a job that failed; tests/portal/entry/retry-job.test.ts',
  stopFollowing: 'needs a job that hangs; tests/browser/foreign-install.test.ts',
  showCredentials: 'needs a job that returned some; tests/portal/jobs/credentials.test.ts',
  dropCredentials: 'needs a job that returned some; tests/portal/jobs/credentials.test.ts',
  proveStoredCopy: 'needs a copy outside of the server; tests/portal/jobs/prove-copy.test.ts',
  restoreFromCopy: 'needs a copy outside of the server; tests/portal/jobs/restore-copy.test.ts',
  undoChange: 'tests/portal/subjects/undo',
  signInAgain: 'no session needed',
  signIn: 'no session needed',
  startPasskeySignIn: 'no session needed',
  enterPasskey: 'no session needed',
  signInAgainWithPasskey: 'no session needed',
  signInAfresh: 'only redirects; tests/browser/security/matrix.ts',
  addPasskey: 'needs an authenticator; tests/portal/identity/passkeys/add.test.ts',
  signInBySingleSignOn: 'no session needed',
  connectProvider: 'needs an identity provider; tests/portal/identity/single-sign-on',
  disconnectProvider: 'needs an identity provider; tests/portal/identity/single-sign-on',
  requireSingleSignOn: 'needs an identity provider; tests/portal/identity/single-sign-on',
  recover: 'no session needed',
  setUp: 'no session needed',
  accept: 'no session needed',
  leave: 'only redirects; tests/browser/security/matrix.ts',
  join: 'only redirects; tests/portal/subjects/team/accept-proven.test.ts',
  forgot: 'no session needed',
  enterCode: 'no session needed',
  startOver: 'no session needed',
  startFirstAuthenticator: 'tests/portal/identity/second-factor/set-up.test.ts',
  confirmFirstAuthenticator: 'tests/portal/identity/second-factor/set-up.test.ts',
  requestNewEmail: 'needs a mail server; tests/portal/identity/change-email.test.ts',
  startAuthenticator: 'tests/portal/identity/second-factor/totp.test.ts',
  confirmAuthenticator: 'tests/portal/identity/second-factor/totp.test.ts',
  removeAuthenticator: 'tests/portal/identity/second-factor/totp.test.ts',
  renewRecoveryCodes: 'tests/portal/identity/second-factor/totp.test.ts',
}
