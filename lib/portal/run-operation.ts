/** The spine: the one way from a person to an upstream service. */
import 'server-only'
import type { Answer, Operation } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { Actor } from './identity/actor'

/** What an operation is aimed at, by the portal's own opaque ids. */
export type Target = { serverId?: string; siteId?: string; connectionId?: string }

export async function runOperation<O extends Operation>(
  _actor: Actor,
  _operation: O,
  _target: Target,
  _fields: Readonly<Record<string, unknown>> = {},
  _options: { confirmName?: string; requestId?: string } = {},
): Promise<Outcome<Answer<O>>> {
  return { ok: false, problem: problem('not_built') }
}
