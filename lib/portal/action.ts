/** The spine as a server action: one line per operation in a page's actions.ts. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { problem } from '@/lib/contract/problem'

/** What an action answers. `at` (ms since 1970) tells two answers of the same words apart. */
export type ActionResult<T = unknown> = Outcome<T> & { at: number }

/** What a successful action carries: a job for slow operations, the server's opaque id for servers.create. */
export type ActionData = { jobId?: string; serverId?: string }

export type PortalAction = (previous: ActionResult<ActionData> | null, form: FormData) => Promise<ActionResult<ActionData>>

export function portalAction(_operation: Operation): PortalAction {
  return async () => ({ ok: false, problem: problem('not_built'), at: Date.now() })
}
