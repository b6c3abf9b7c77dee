/** A kind of undoable change, declared by its subject. registry.ts lists all kinds. */
import 'server-only'
import type * as z from 'zod'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import type { Subject } from './subject'

/** Starts a slow operation as a job. Jobs are a layer above the subjects, so whoever runs an undo passes this. */
export type StartSlow = (
  actor: Actor,
  operation: Operation,
  target: Target,
  fields: GivenFields,
  options: RunOptions,
) => Promise<Outcome<{ jobId: string }>>

/**
 * target: the subject in the form that operations take. undoes: the request id of the change; requestId: that of the undo. extensions:
 * whether the service announces them.
 */
export type RevertRequest = {
  subject: Subject
  target: Target
  requestId: string
  undoes: string
  extensions: boolean
  startSlow: StartSlow
}

/** The message to show after an undo. jobId: the job that undoes it; nothing is undone before that job is done. */
export type RevertResult = { message: string; jobId?: string }

export type UndoKind<Payload extends object = object, Name extends string = string> = {
  /** Stored in the row and bound to the payload, so renaming a kind makes its older rows unusable. */
  name: Name
  /** The encrypted payload. Must accept what older versions stored under this name. */
  schema: z.ZodType<Payload>
  /** What the undo does, in one sentence. */
  summary: string
  /** Whether the entry in Activity already implies the summary, so that it need not be shown next to the button. */
  plain: boolean
  /** Users who may run this operation on the subject may undo the change. */
  needs: Operation
  /** Where the effect is visible. */
  page: (subject: Subject) => { href: string; label: string }
  /** Reads the present state and acts only if it matches. A method, so that kinds with different payloads fit into one table. */
  revert(actor: Actor, request: RevertRequest, payload: Payload): Promise<Outcome<RevertResult>>
}

/** The payload of one change together with its kind, for keepUndo. */
export type Kept<Payload extends object = object> = { kind: UndoKind<Payload>; payload: Payload }

/** Declares a kind; keeps its literal name and the type of its payload. */
export const undoKind = <const Name extends string, Payload extends object>(kind: UndoKind<Payload, Name>): UndoKind<Payload, Name> => kind

/** Combines a payload with its kind. */
export const kept = <Payload extends object>(kind: UndoKind<Payload>, payload: Payload): Kept<Payload> => ({ kind, payload })
