/** Whether a key works: by listing servers with it, before anything depends on it. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { encodeRequest } from '@/lib/contract/request'
import { tryConnection } from '@/lib/portal/upstream/unattended'
import type { Connection } from '@/prisma/generated/portal/client'

/** What a key that works shows. */
export type Proof = {
  extensions: boolean
  /** The service's own ids of the servers it lists. */
  serverIds: readonly string[]
}

/**
 * Lists servers over a connection that may stand in no table yet; nothing is stored. Of a problem, `sentence` says what
 * happened, and `fields` say at `address` or `apiKey` what to do about it.
 */
export async function proveConnection(connection: Connection): Promise<Outcome<Proof>> {
  const request = encodeRequest(servers.list, {}, { extensions: false })
  const tried = await tryConnection(connection, servers.list, request)
  const { outcome, extensions } = tried
  if (outcome.ok) return { ok: true, data: { extensions, serverIds: outcome.data.items.map(({ id }) => id) } }
  const { sentence, advice, at = 'address' } = explain(outcome.problem, tried)
  return { ok: false, problem: problem(outcome.problem.code, { sentence, fields: { [at]: advice } }) }
}

type Reason = { sentence: string; advice: string; at?: 'apiKey' }

const reasons: Partial<Record<Problem['code'], Reason>> = {
  upstream_insecure: {
    sentence: 'The service could not prove who it is.',
    advice: 'Its certificate has expired, is self-signed or was made for another name. Renew it, or use the name it was made for.',
  },
  upstream_too_slow: {
    sentence: 'The service did not answer in time.',
    advice: 'See whether it is busy or stopped, then try again.',
  },
  upstream_too_large: {
    sentence: 'This address answered with more than any list of servers.',
    advice: 'Check that it is the address of the service.',
  },
  upstream_not_understood: {
    sentence: 'This address answers, but not as a service of this interface.',
    advice: 'Check the path as well: what is wanted is the part before /servers.',
  },
  upstream_redirected: {
    sentence: 'This address points to another one, and a key is never sent along.',
    advice: 'Enter the address it leads to, if you trust it. Often that is the same one with https, or with another path.',
  },
  upstream_rate_limited: { sentence: 'The service asks to slow down.', advice: 'Wait a few minutes, then try again.' },
  key_rejected: {
    at: 'apiKey',
    sentence: 'The service does not accept this key.',
    advice: 'Check that it was copied whole and has not been revoked.',
  },
}

const notAllowed: Reason = {
  at: 'apiKey',
  sentence: 'The service knows this key but does not let it list servers.',
  advice: 'Allow it to at the service, or use another key.',
}
const brokenOff: Reason = { sentence: 'The service broke off before its answer was complete.', advice: 'Try again, or look into its log.' }
const silent: Reason = {
  sentence: 'Nothing answers at this address.',
  advice: 'Check host and port, that the service runs, and that it lets this portal’s machine in.',
}

function explain(why: Problem, { status, sent }: { status: number | null; sent: boolean }): Reason {
  if (why.code === 'address_refused') return { sentence: 'This address may not be used.', advice: why.sentence }
  if (why.code === 'upstream_unreachable') return sent ? brokenOff : silent
  if (why.code === 'key_rejected' && status === 403) return notAllowed
  return (
    reasons[why.code] ?? {
      sentence: 'The service could not list its servers.',
      advice: `${why.sentence} Look into its log, then try again.`,
    }
  )
}
