/** Backup targets for their page. Never a credential. */
import 'server-only'
import { type Keeper, may, mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { formatAddress, readAddress, type SftpAccess, type SftpAddress, type TargetAddress, type TargetKind } from './address'
import { describeFinding, describeProblem, readFindings } from './check-words'
import { type Holding, readHoldings } from './copies'
import { formatKeeper, keeperOf, visibleTo } from './find'
import { fingerprintOf } from './form'

/**
 * ownerName: of a target that is another member's. problem: why no copies can be stored there, empty if they can; findings: what a server
 * that is broken into could do to its copies; both as sentences. frozenAt, checkedAt: ISO. changeRefusal, removeRefusal: why this member may not; null if they may.
 */
export type BackupTargetView = {
  id: string
  label: string
  keeper: Keeper
  ownerName: string | null
  kind: TargetKind
  /** What servers speak at an SFTP server; null for other kinds. */
  access: SftpAccess | null
  address: string
  /** As in the address, for the commands of its dialogs. */
  folder: string
  /** The region of a bucket, or the fingerprint of a host key; empty for a folder. */
  more: string
  problem: string
  findings: readonly string[]
  checkedAt: string
  frozenAt: string | null
  changeRefusal: string | null
  removeRefusal: string | null
  /** Null before the first copy. */
  holding: Holding | null
}

/** The team's first, then by name. None for a guest. */
export async function listBackupTargets(actor: Person): Promise<BackupTargetView[]> {
  if (!may(actor.role, 'teamConnections', 'read')) return []
  const rows = await db().backupTarget.findMany({
    where: visibleTo(actor),
    include: { owner: { select: { name: true } } },
    orderBy: [{ label: 'asc' }, { id: 'asc' }],
  })
  const holdings = await readHoldings(rows.map(({ id }) => id))
  const views = rows.map((row): BackupTargetView => {
    const foreign = row.ownerId !== null && row.ownerId !== actor.user.id
    const keeper = keeperOf(row)
    const refusal = foreign || mayKeep(actor.role, keeper) ? null : formatKeeper(keeper)
    const address = readAddress(row)
    return {
      id: row.id,
      label: row.label,
      keeper,
      ownerName: foreign ? (row.owner?.name ?? '') : null,
      kind: address.kind,
      access: address.kind === 'sftp' ? (address.access ?? 'sftp') : null,
      address: formatAddress(address),
      folder: address.folder,
      more: moreOf(address),
      problem: row.problem === '' ? '' : describeProblem(row.problem),
      findings: readFindings(row.findings).map(describeFinding),
      checkedAt: row.checkedAt.toISOString(),
      frozenAt: row.frozenAt?.toISOString() ?? null,
      changeRefusal: foreign ? 'Only its owner can use or change it.' : refusal,
      removeRefusal: refusal,
      holding: holdings.get(row.id) ?? null,
    }
  })
  return views.toSorted((a, b) => Number(a.keeper === 'own') - Number(b.keeper === 'own'))
}

function noteOf({ access }: SftpAddress): string[] {
  if (access === undefined) return ['no maintenance key, so all copies are kept: replace the keys to have old ones deleted']
  return access === 'rclone' ? ['servers add copies with rclone'] : []
}

function moreOf(address: TargetAddress): string {
  if (address.kind === 'folder') return ''
  return address.kind === 's3' ? address.region : [`host key ${fingerprintOf(address.hostKey)}`, ...noteOf(address)].join(' · ')
}
