/** A prepared archive in the form that pages use. */
import 'server-only'
import { contract } from '@/lib/contract'
import { canAct } from '@/lib/portal/access/connections'
import { findGranted } from '@/lib/portal/access/decide'
import { mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { isFetched, kindOfLink, type LinkKind } from '@/lib/portal/upstream/archive'
import type { Connection } from '@/prisma/generated/portal/client'
import { findArchive } from './prepared'
import { findWithheldFor } from './withheld'

/**
 * ready: can be downloaded. link: null if the portal fetches it; else the address that the browser opens itself, with the reason.
 * taken: was downloaded. theirs: another member prepared it. gone: its time is over, it was never there, or it may not be fetched now.
 * withheld: the portal does not fetch it, and a link would outlive the reader's access.
 */
export type ArchiveView =
  | ({ state: 'ready'; size: number | null; expires: string | null; link: string | null } & LinkKind)
  | { state: 'taken' | 'theirs' | 'gone' | 'withheld' }

/** The caller has checked that the actor may see the job. */
export async function viewArchive(actor: Person, jobId: string): Promise<ArchiveView> {
  const archive = await findArchive(jobId)
  if (!archive) return { state: 'gone' }
  if (archive.userId !== actor.user.id || archive.teamId !== actor.team.id) return { state: 'theirs' }
  if (archive.takenAt) return { state: 'taken' }
  const connection = await db().connection.findUnique({ where: { id: archive.connectionId } })
  const granted = await findGranted(actor, contract.sites.download, 'site', [archive.siteId])
  if (!connection || !canAct(connection) || !granted.has(archive.siteId)) return { state: 'gone' }
  if (await findWithheldFor(actor, archive, connection)) return { state: 'gone' }
  const { size, expires, link } = archive
  const kind = kindOfLink(connection, link)
  if (isFetched(connection, link)) return { state: 'ready', size, expires, link: null, ...kind }
  return keeps(actor, connection) ? { state: 'ready', size, expires, link, ...kind } : { state: 'withheld' }
}

/** Whoever keeps the connection could prepare another link at any time, so that one link more gives them nothing. */
const keeps = ({ user, role }: Person, { ownerId }: Connection): boolean => (ownerId === null ? mayKeep(role, 'team') : ownerId === user.id)
