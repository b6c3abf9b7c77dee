/** The subject of an undoable change, by the portal's own id. */
import 'server-only'
import type { Target } from '@/lib/portal/access/decide'
import type { UndoSubject } from '@/prisma/generated/portal/client'

/** Where an operation acts: a server, a site or a connection. */
export type Subject = { kind: Exclude<UndoSubject, 'grant'>; id: string }

export type AnySubject = { kind: UndoSubject; id: string }

const targetFields = { server: 'serverId', site: 'siteId', connection: 'connectionId' } as const satisfies Record<
  Subject['kind'],
  keyof Target
>

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
