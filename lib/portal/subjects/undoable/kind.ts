/** What a subject declares about one kind of change that can be taken back. registry.ts lists them all. */
import 'server-only'
import type * as z from 'zod'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Subject } from './subject'

/**
 * target: the subject as operations take it. undoes: the request id of the change that is taken back; requestId: that of
 * taking it back. extensions: whether the service announces them.
 */
export type RevertRequest = { subject: Subject; target: Target; requestId: string; undoes: string; extensions: boolean }

/** What to say of a change that was taken back. */
export type RevertResult = { message: string }

export type UndoKind<Payload extends object = object, Name extends string = string> = {
  /** Stored in the row and part of what the payload is bound to: renaming it makes older rows unusable. */
  name: Name
  /** What is sealed for it. Has to accept what older versions sealed under this name. */
  schema: z.ZodType<Payload>
  /** What taking it back does, in one sentence. */
  summary: string
  /** Whether the entry of the change in Activity already implies the summary, so that it need not be shown beside the button. */
  plain: boolean
  /** Whoever may run this operation on the subject may take the change back. */
  needs: Operation
  /** Where its effect is visible. */
  page: (subject: Subject) => { href: string; label: string }
  /** Reads the present state and acts only while it matches. A method, so that kinds of any payload fit one table. */
  revert(actor: Actor, request: RevertRequest, payload: Payload): Promise<Outcome<RevertResult>>
}

/** The payload of one change together with its kind: what keepUndo takes. */
export type Kept<Payload extends object = object> = { kind: UndoKind<Payload>; payload: Payload }

/** Declares a kind, keeping its literal name and the type of its payload. */
export const undoKind = <const Name extends string, Payload extends object>(kind: UndoKind<Payload, Name>): UndoKind<Payload, Name> => kind

/** Ties a payload to its kind. */
export const kept = <Payload extends object>(kind: UndoKind<Payload>, payload: Payload): Kept<Payload> => ({ kind, payload })
