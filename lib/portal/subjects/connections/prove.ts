/** Verifies an API key by listing servers with it, before it is relied on. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { encodeRequest } from '@/lib/contract/request'
import { tryConnection } from '@/lib/portal/upstream/unattended'
import type { Connection } from '@/prisma/generated/portal/client'

/** The result of verifying a working key. */
export type Proof = {
  extensions: boolean
  /** The service's own ids of the listed servers. */
  serverIds: readonly string[]
}

/**
 * Lists servers over a connection that may not be stored yet; stores nothing. In a problem, `sentence` says what happened, and `fields`
 * says at `address` or `apiKey` what to do about it.
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
    sentence: 'The identity of the service could not be verified.',
    advice: 'Its certificate has expired, is self-signed or was issued for another name. Renew it, or use the name it was issued for.',
  },
  upstream_too_slow: {
    sentence: 'The service didn’t respond in time.',
    advice: 'Check that it is running, then try again.',
  },
  upstream_too_large: {
    sentence: 'The response is too large to be a list of servers.',
    advice: 'Check that this is the address of the service.',
  },
  upstream_not_understood: {
    sentence: 'Something responds at this address, but it does not speak the service interface.',
    advice: 'Check the path: enter the base URL, the part before /servers.',
  },
  upstream_redirected: {
    sentence: 'This address redirects, and Gatehouse never sends a key along a redirect.',
    advice: 'If you trust the target, enter its address. Often it is the same address with https or another path.',
  },
  upstream_rate_limited: { sentence: 'The service is rate-limiting requests.', advice: 'Wait a few minutes, then try again.' },
  key_rejected: {
    at: 'apiKey',
    sentence: 'The service does not accept this API key.',
    advice: 'Check that it was copied completely and has not been revoked.',
  },
}

const notAllowed: Reason = {
  at: 'apiKey',
  sentence: 'The service accepts this key but does not let it list servers.',
  advice: 'Grant that permission at the service, or use another key.',
}
const brokenOff: Reason = { sentence: 'The response of the service was cut off.', advice: 'Try again, or check the log of the service.' }
const silent: Reason = {
  sentence: 'Nothing responds at this address.',
  advice: 'Check the host and port, that the service is running, and that its firewall allows the machine that runs Gatehouse.',
}

function explain(why: Problem, { status, sent }: { status: number | null; sent: boolean }): Reason {
  if (why.code === 'address_refused') return { sentence: 'This address is not allowed.', advice: why.sentence }
  if (why.code === 'upstream_unreachable') return sent ? brokenOff : silent
  if (why.code === 'key_rejected' && status === 403) return notAllowed
  return (
    reasons[why.code] ?? {
      sentence: 'The service could not list its servers.',
      advice: `${why.sentence} Check the log of the service, then try again.`,
    }
  )
}
