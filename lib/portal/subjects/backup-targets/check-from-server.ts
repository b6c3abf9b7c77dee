/** Tests a backup target from a server, which for SFTP and for a folder is the only place that can. */
import 'server-only'
import { contract } from '@/lib/contract'
import { copies } from '@/lib/contract/operations/copies'
import { type Outcome, problem } from '@/lib/contract/problem'
import { readChoiceNames } from '@/lib/portal/access/choice-names'
import { listListingConnections, upstreamOf } from '@/lib/portal/access/connections'
import { findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { BackupTargetKeys } from '@/lib/portal/custody/backup-target'
import type { Person } from '@/lib/portal/identity/actor'
import { compareTexts } from '@/lib/text/compare'
import type { BackupTarget } from '@/prisma/generated/portal/client'
import { runOperation } from '../spine'
import type { TargetAddress } from './address'
import type { CheckResult } from './check'
import { type CheckFinding, type CheckReason, type KeyOwner, reasonOfMaintenance, reasonOfServer } from './check-words'
import { fieldsOf } from './repository'

/** The server that tests, and which target of whom. label: for Activity. */
type Wanted = {
  serverId: string
  target: Pick<BackupTarget, 'ownerId' | 'label'>
  address: TargetAddress
  keys: BackupTargetKeys
}

const maxSkewSeconds = 300

const ofMember = problem('forbidden', {
  sentence: 'Only a connection of a member lists this server, and its service would get the team’s key. Choose another server.',
})

/**
 * Runs as the operation copies.test, with its rights and its entry in the audit log. The server gets the server key alone; the service tries the maintenance key of
 * an SFTP server itself.
 */
export async function checkFromServer(actor: Person, wanted: Wanted): Promise<Outcome<CheckResult>> {
  const { address, keys } = wanted
  const maintained = keys.kind === 'sftp' && keys.maintenance ? { maintenance_key: keys.maintenance.privateKey } : {}
  const asked = await ask(actor, wanted, { ...fieldsOf(address, keys), ...maintained })
  if (!asked.ok) return asked
  const { result, deletes, overwrites, ahead, maintenance } = asked.data
  const problem = (reason: CheckReason, of: KeyOwner = 'server'): Outcome<CheckResult> => ({
    ok: true,
    data: { problem: `${of} ${reason}`, findings: [] },
  })
  if (result !== 'passed') return problem(reasonOfServer(result))
  if (Math.abs(Number(ahead ?? 0)) > maxSkewSeconds) return problem('server_clock')
  if ('maintenance_key' in maintained && maintenance !== 'passed') return problem(reasonOfMaintenance(maintenance ?? ''), 'maintenance')
  return { ok: true, data: { problem: null, findings: findingsOf(address, deletes === true, overwrites === true) } }
}

function findingsOf(address: TargetAddress, deletes: boolean, overwrites: boolean): CheckFinding[] {
  if (address.kind === 'folder') return ['folder_root']
  if (address.kind === 'sftp' && address.access === 'rclone') return deletes || overwrites ? ['rclone_deletes'] : []
  return [...(deletes ? ['sftp_deletes' as const] : []), ...(overwrites ? ['sftp_overwrites' as const] : [])]
}

/** The host key that an SFTP server shows to the server now. */
export async function askTargetHostKey(actor: Person, wanted: Omit<Wanted, 'keys'>): Promise<Outcome<string>> {
  const asked = await ask(actor, wanted, fieldsOf(wanted.address, { kind: 'sftp', server: { privateKey: '' } }))
  if (!asked.ok) return asked
  const { result, host_key } = asked.data
  if (result === 'shown' && host_key !== undefined) return { ok: true, data: host_key }
  return { ok: false, problem: problem('unsuitable', { sentence: 'The server can’t reach the target. Check the address.' }) }
}

async function ask(actor: Person, { serverId, target }: Pick<Wanted, 'serverId' | 'target'>, fields: Record<string, string>) {
  if (target.ownerId === null && !(await isListedByTeam(actor, serverId))) {
    await recordDenied(actor, copies.test.id, { kind: 'server', id: serverId }, 'forbidden')
    return { ok: false, problem: ofMember } as const
  }
  return runOperation(actor, copies.test, { serverId }, fields, { about: target.label })
}

/** Keys of the team go to services that the team uses. An unknown server is left to the operation, which does not find it. */
async function isListedByTeam({ team }: Person, serverId: string): Promise<boolean> {
  const [listed, known] = await Promise.all([
    db().serverOnConnection.count({ where: { serverId, connection: { teamId: team.id, ownerId: null } } }),
    db().server.count({ where: { id: serverId, teamId: team.id } }),
  ])
  return listed > 0 || known === 0
}

export type ServerChoice = { id: string; name: string }

/** The servers from which the member may test a target, by name: their services announce extensions. */
export async function listTestServers(actor: Person): Promise<ServerChoice[]> {
  const where = { ...(await serversVisibleTo(actor)), state: { in: ['ready', ''] } }
  const [servers, connections] = await Promise.all([
    db().server.findMany({ where, select: { id: true, name: true, origin: true } }),
    listListingConnections(actor),
  ])
  const granted = await findGranted(
    actor,
    contract.copies.test,
    'server',
    servers.map(({ id }) => id),
  )
  const extended = new Set(connections.filter(({ extensions }) => extensions).map(upstreamOf))
  const names = await readChoiceNames(actor, servers)
  return servers
    .filter(({ id, origin }) => granted.has(id) && extended.has(origin))
    .map(({ id, name }) => ({ id, name: names.get(id) ?? name }))
    .sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.id, other.id))
}
