/** Downloads the recovery kit of a backup target, and records that a member has it. Only then do its copies count as safe. */
import 'server-only'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { sites } from '@/lib/contract/operations/sites'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { openBackupTarget, openRepository } from '@/lib/portal/custody/backup-target'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import type { BackupTarget } from '@/prisma/generated/portal/client'
import { formatAddress, readAddress } from './address'
import { findKept } from './find'
import { codeOfKit, type KitRepository, renderKit } from './kit'
import { ofServerItself } from './restorable'

const limited = problem('forbidden', {
  sentence:
    'The kit opens the copies of all servers there, and your access does not include downloads from all of them, or the backups of those that are copied themselves.',
})

const nothing = problem('unsuitable', { sentence: 'This target has no copies yet. Copy a backup first.' })

/** Field: targetId, and a proof if the sign-in is not recent. text: the kit, for whoever keeps the target alone. */
export async function downloadKit({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<{ label: string; text: string }>> {
  const action = 'backupTarget.kit'
  const found = await findKept(actor, action, field('targetId'))
  if (!found.ok) return found
  if (found.data.ownerId === null && !(await mayReadAll(actor, found.data.id))) {
    await recordDenied(actor, action, { kind: 'team', id: actor.team.id }, limited.code)
    return { ok: false, problem: limited }
  }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  return record(actor, action, requestId, found.data, async () => {
    const [keys, repositories] = await Promise.all([openBackupTarget(found.data), openRepositories(found.data.id)])
    if (!keys || !repositories) return { ok: false, problem: problem('key_locked') }
    if (repositories.length === 0) return { ok: false, problem: nothing }
    return { ok: true, data: { label: found.data.label, text: renderKit(found.data, keys, repositories, new Date()) } }
  })
}

/** Fields: targetId; code: as the newest kit has it. */
export async function confirmKit({ actor, requestId, field }: OwnInput): Promise<Outcome<{ label: string }>> {
  const action = 'backupTarget.confirmKit'
  const found = await findKept(actor, action, field('targetId'))
  if (!found.ok) return found
  const repositories = await db().backupRepository.findMany({ where: { targetId: found.data.id } })
  if (repositories.length === 0) return { ok: false, problem: nothing }
  const given = field('code').trim().toUpperCase()
  const right = given === codeOfKit(found.data, repositories)
  const refused = refuseFields({ code: right ? null : 'This is not the code of the newest kit. Download it again.' })
  if (refused) return { ok: false, problem: refused }
  return record(actor, action, requestId, found.data, async () => {
    const ids = repositories.map(({ id }) => id)
    // Not once the target has other keys.
    const where = { id: { in: ids }, target: { secretVersion: found.data.secretVersion } }
    const { count } = await db().backupRepository.updateMany({ where, data: { kitConfirmedAt: new Date() } })
    return count > 0 ? { ok: true, data: { label: found.data.label } } : { ok: false, problem: problem('changed_meanwhile') }
  })
}

/**
 * Whether a member may download the sites of all servers that have copies there, and has the right to the backups of those that are there themselves: those who keep
 * the team's targets may have less.
 */
async function mayReadAll(actor: Person, targetId: string): Promise<boolean> {
  const [right, repositories] = await Promise.all([
    rightOf(actor),
    db().backupRepository.findMany({ where: { targetId }, select: { serverId: true, ...ofServerItself } }),
  ])
  return repositories.every(({ serverId, _count }) =>
    [sites.download, ...(_count.copies === 0 ? [] : [serverBackups.copy])].every((each) =>
      isAllowed(right, needOf(each), { kind: 'server', serverId }),
    ),
  )
}

/** Null if a password cannot be decrypted: a kit without it could not restore all copies. */
async function openRepositories(targetId: string): Promise<KitRepository[] | null> {
  const rows = await db().backupRepository.findMany({
    where: { targetId },
    include: { copies: { where: { state: 'done', snapshot: { not: '' } }, orderBy: { startedAt: 'desc' } } },
    orderBy: [{ serverName: 'asc' }, { id: 'asc' }],
  })
  const opened: KitRepository[] = []
  for (const { copies, ...row } of rows) {
    const password = await openRepository(row)
    if (password === null) return null
    const newest = new Map(copies.toReversed().map((copy) => [copy.domain, copy]))
    opened.push({ row, password, newest: [...newest.values()] })
  }
  return opened
}

function record<T>(
  actor: Person,
  action: OwnAction,
  requestId: string,
  { label, kind, address, ownerId }: BackupTarget,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const needs = { subject: ownerId === null ? 'teamConnections' : 'ownConnections', effect: 'change' } as const
  const detail = { label, via: kind, address: formatAddress(readAddress({ kind, address })) }
  return runRecorded({ actor, action, requestId, object: { kind: 'team', id: actor.team.id }, needs, detail }, run)
}
