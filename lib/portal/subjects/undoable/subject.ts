/** The subject of an undoable change: a server, a site or a connection, by the portal's own id. */
import 'server-only'
import type { Target } from '@/lib/portal/access/decide'
import type { UndoSubject } from '@/prisma/generated/portal/client'

export type Subject = { kind: UndoSubject; id: string }

const targetFields = { server: 'serverId', site: 'siteId', connection: 'connectionId' } as const satisfies Record<UndoSubject, keyof Target>

/** The subject in the form that operations take. */
export const targetOf = ({ kind, id }: Subject): Target => ({ [targetFields[kind]]: id })

type OnSubject = { subject: Subject; requestId: string }

/** A change to a server, for undoableChange. */
export const onServer = ({ serverId: id, requestId }: { serverId: string; requestId: string }): OnSubject => ({
  subject: { kind: 'server', id },
  requestId,
})

/** A change to a site, for undoableChange. */
export const onSite = ({ siteId: id, requestId }: { siteId: string; requestId: string }): OnSubject => ({
  subject: { kind: 'site', id },
  requestId,
})
