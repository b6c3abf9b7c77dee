/** One signed request to a bucket of S3: the egress rules of connections, no redirects, within limits, sent once. */
import 'server-only'
import { type S3Request, type S3Signer, signS3 } from '@/lib/s3/sign'
import { parseHookUrl } from './address'
import { borrowAgent } from './agents'
import { AddressRefused } from './connector'
import { startExchange } from './exchange'
import { problemOf } from './failure'
import { startWatch } from './watch'

/** id identifies the sockets to use: one for each target and version of its keys. endpoint: an origin. signal: ends it as too slow. */
type BucketCall = Omit<S3Request, 'host' | 'headers' | 'bodyHash'> & {
  id: string
  endpoint: string
  signer: S3Signer
  signal: AbortSignal
}

/**
 * answer: whatever its status. code: of S3's error, such as AccessDenied; empty without one. version: of the object that was written, in a
 * bucket that keeps versions. skewMs: how much the target's clock is ahead; null if its answer has no time. failed: no usable answer.
 */
export type BucketReply =
  | { kind: 'answer'; status: number; code: string; body: string; version: string | null; skewMs: number | null }
  | { kind: 'failed'; why: 'address' | 'insecure' | 'slow' | 'unreachable' | 'not_understood' }

const limits = { headMs: 15_000, idleMs: 15_000, totalMs: 30_000 }
const maxAnswerBytes = 65_536

/** Never throws because of the network or the target. */
export async function callBucket({ id, endpoint, signer, signal, ...request }: BucketCall): Promise<BucketReply> {
  const parsed = parseHookUrl(endpoint)
  if ('code' in parsed) return { kind: 'failed', why: 'address' }
  const { target } = parsed
  const lease = borrowAgent(`backup target ${id}`, target)
  const watch = startWatch(limits, signal)
  const { path, headers } = signS3({ ...request, host: new URL(target.origin).host }, signer, new Date())
  const own = { 'accept-encoding': 'identity', 'user-agent': 'gatehouse' }
  const sent = { origin: target.origin, path, method: request.method, headers: { ...headers, ...own }, body: request.body ?? null }
  const exchange = startExchange(lease.agent, sent, watch)
  try {
    const { status, headers: got, whole } = await exchange.head
    const body = (await whole(maxAnswerBytes)).toString('utf8')
    const code = status < 300 ? '' : (/<Code>([A-Za-z]{1,60})<\/Code>/.exec(body)?.[1] ?? '')
    const time = Date.parse(got.get('date') ?? '')
    const skewMs = Number.isNaN(time) ? null : time - Date.now()
    const version = got.get('x-amz-version-id') ?? null
    // "null" where keeping versions was suspended: then the next object takes the place of this one.
    return { kind: 'answer', status, code, body, version: version === 'null' ? null : version, skewMs }
  } catch (error) {
    if (error instanceof AddressRefused) return { kind: 'failed', why: 'address' }
    return { kind: 'failed', why: signal.aborted ? 'slow' : whyOf(problemOf(error, exchange.sent()).code) }
  } finally {
    exchange.abandon()
    watch.end()
    lease.release()
  }
}

function whyOf(code: string): Extract<BucketReply, { kind: 'failed' }>['why'] {
  if (code === 'upstream_insecure') return 'insecure'
  if (code === 'upstream_too_slow') return 'slow'
  return code === 'upstream_unreachable' ? 'unreachable' : 'not_understood'
}
