/** A kind of undoable change that the portal makes itself, without an operation of a service. */
import 'server-only'
import type * as z from 'zod'
import type { Outcome, Problem } from '@/lib/contract/problem'
import type { Person } from '@/lib/portal/identity/actor'
import type { RevertResult } from './kind'

/** undoes: the request id of the change; requestId: that of the undo. prove: a fresh sign-in, where the undo needs one. */
type OwnRevertRequest = { subjectId: string; requestId: string; undoes: string; prove: () => Promise<Problem | null> }

/** name, schema, summary, plain and page: as in UndoKind. */
export type OwnUndoKind<Payload extends object = object, Name extends string = string> = {
  name: Name
  schema: z.ZodType<Payload>
  summary: string
  plain: boolean
  page: (subjectId: string) => { href: string; label: string }
  /** Whether a user may undo changes of this subject. */
  isOfferedTo: (actor: Person, subjectId: string) => Promise<boolean>
  /** Reads the present state and acts only if it matches. A method, as in UndoKind. */
  revert(actor: Person, request: OwnRevertRequest, payload: Payload): Promise<Outcome<RevertResult>>
}

export const ownUndoKind = <const Name extends string, Payload extends object>(
  kind: OwnUndoKind<Payload, Name>,
): OwnUndoKind<Payload, Name> => kind
