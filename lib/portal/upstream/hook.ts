/** Posts a message to a webhook: no API key, the egress rules of connections, no redirects, sent once. */
import 'server-only'
import { insideRefused, parseHookUrl } from './address'
import { borrowAgent } from './agents'
import { AddressRefused } from './connector'
import { startExchange } from './exchange'
import { problemOf } from './failure'
import { startWatch } from './watch'

/**
 * id identifies the sockets to use: one for each channel and version of its address. inside: whether it may go to what
 * ALLOW_PRIVATE_UPSTREAMS permits.
 */
export type HookPost = { id: string; url: string; inside: boolean; headers: Readonly<Record<string, string>>; body: string }

/** status: null without an answer. body: the beginning of the answer, or why there is none. */
export type HookReply = { status: number | null; body: string }

const limits = { headMs: 10_000, idleMs: 10_000, totalMs: 15_000 }
const maxAnswerBytes = 16_384

/** Never throws because of the network or the receiver. */
export async function postToHook({ id, url, inside, headers, body }: HookPost): Promise<HookReply> {
  const hook = parseHookUrl(url, inside)
  if ('code' in hook) return { status: null, body: hook.sentence }
  const { target, path } = hook
  const lease = borrowAgent(`channel ${id}${inside ? '' : ' outside'}`, target)
  const watch = startWatch(limits)
  const own = { 'accept-encoding': 'identity', 'user-agent': 'gatehouse' }
  const request = { origin: target.origin, path, method: 'POST', headers: { ...headers, ...own }, body } as const
  const exchange = startExchange(lease.agent, request, watch)
  try {
    const { status, whole } = await exchange.head
    // What cannot be read of an answer changes nothing about its status.
    const text = await whole(maxAnswerBytes).then(
      (bytes) => bytes.toString('utf8'),
      () => '',
    )
    return { status, body: text }
  } catch (error) {
    const why = error instanceof AddressRefused && !inside ? insideRefused : problemOf(error, exchange.sent())
    return { status: null, body: why.sentence }
  } finally {
    exchange.abandon()
    watch.end()
    lease.release()
  }
}
