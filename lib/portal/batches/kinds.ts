/** The operations that can run as a batch, and how each begins on one target. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import { startBackup } from '@/lib/portal/jobs/back-up'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import type { RunOptions } from '@/lib/portal/spine/run-operation'

/** An operation that has begun: a job that decides the outcome, or the outcome itself. */
export type Begun = Outcome<{ jobId: string | null }>

type BeginOptions = RunOptions & { requestId: string }

export type BatchKind = {
  operation: Operation
  targets: 'site' | 'server'
  /** Before the number of targets: "Back up". */
  verb: string
  /** Running it once more does no harm, so a target whose outcome is unknown may be repeated like one that failed. */
  harmless: boolean
  begin: (actor: Actor, target: Target, fields: GivenFields, options: BeginOptions) => Promise<Begun>
}

const kinds: readonly BatchKind[] = [
  {
    ...{ operation: contract.backups.create, targets: 'site', verb: 'Back up', harmless: true },
    begin: (actor, { siteId = '' }, _fields, options) => startBackup(actor, siteId, options),
  },
]

const byId: ReadonlyMap<string, BatchKind> = new Map(kinds.map((kind) => [kind.operation.id, kind]))

/** Undefined for an operation that does not run as a batch. */
export const findBatchKind = (operationId: string): BatchKind | undefined => byId.get(operationId)
