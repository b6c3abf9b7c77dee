/** What copies are of: a site, or a server itself. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import type { Target } from '@/lib/portal/access/decide'
import type { NightCopy } from '@/prisma/generated/portal/client'

/** id: the portal's. */
export type CopySubject = { kind: 'site' | 'server'; id: string }

export const targetOfSubject = ({ kind, id }: CopySubject): Target => (kind === 'site' ? { siteId: id } : { serverId: id })

/** Of a row of NightCopy. */
export const subjectOfNight = ({ siteId, serverId }: Pick<NightCopy, 'siteId' | 'serverId'>): CopySubject => ({
  kind: siteId === serverId ? 'server' : 'site',
  id: siteId,
})

/** What makes a copy of it. */
export const copyingOf = ({ kind }: Pick<CopySubject, 'kind'>) => (kind === 'site' ? copies.make : serverBackups.copy)
