/** Tests whether copies can be stored in a bucket and deleted by nobody but who maintains it: writes, reads, lists, overwrites and deletes. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import type { BackupTargetKeys } from '@/lib/portal/custody/backup-target'
import { type BucketReply, callBucket } from '@/lib/portal/upstream/bucket'
import type { BucketAddress } from './address'
import type { CheckFinding, CheckProblem, CheckReason, KeyOwner } from './check-words'

/** problem: why no copies can be stored there; null if they can. findings: what a server that is broken into could do to its copies. */
export type CheckResult = { problem: CheckProblem | null; findings: readonly CheckFinding[] }

/** id: of the target and the version of its keys. */
type CheckedTarget = { id: string; address: BucketAddress; keys: Extract<BackupTargetKeys, { kind: 's3' }> }

const maxSkewMs = 5 * 60_000

/** Of the whole test, because somebody waits for it; and of deleting what a failed one wrote. */
const [maxMs, maxCleaningMs] = [45_000, 10_000]

/** Ends the test with the reason. */
class Failed extends Error {
  constructor(readonly problem: CheckProblem) {
    super(problem)
  }
}

type Answer = Extract<BucketReply, { kind: 'answer' }>
type Call = { key: KeyOwner; method: 'GET' | 'PUT' | 'DELETE'; name?: string; query?: Record<string, string>; body?: string }

/** Never throws because of the network or the target. What it writes it deletes again, as far as the maintenance key may. */
export async function checkBucket({ id, address, keys }: CheckedTarget): Promise<CheckResult> {
  const { endpoint, region, bucket, folder } = address
  const root = folder === '' ? '' : `${folder}/`
  const name = `${root}gatehouse-test/${randomBytes(12).toString('hex')}`
  let signal = AbortSignal.timeout(maxMs)
  const ask = async ({ key, name, ...request }: Call): Promise<Answer> => {
    const path = name === undefined ? `/${bucket}` : `/${bucket}/${name}`
    const reply = await callBucket({ id: `${id} ${key}`, endpoint, signer: { region, ...keys[key] }, path, signal, ...request })
    if (reply.kind === 'failed') throw new Failed(`${key} ${reply.why}`)
    return reply
  }
  const must = async (call: Call, denied: CheckReason): Promise<Answer> => {
    const answer = await ask(call)
    if (isDone(answer)) return answer
    throw new Failed(`${call.key} ${reasonOf(answer, denied)}`)
  }
  const versions: string[] = []
  const write = async (): Promise<string> => {
    const body = randomBytes(64).toString('hex')
    const { version, skewMs } = await must({ key: 'server', method: 'PUT', name, body }, 'denied_write')
    if (version !== null) versions.push(version)
    if (skewMs !== null && Math.abs(skewMs) > maxSkewMs) throw new Failed('server clock')
    return body
  }
  const expectBody = async (key: KeyOwner, body: string): Promise<void> => {
    const read = await must({ key, method: 'GET', name }, 'denied_read')
    if (read.body !== body) throw new Failed(`${key} altered`)
  }
  const expectListed = async (key: KeyOwner): Promise<void> => {
    const listed = await must(
      { key, method: 'GET', query: { 'list-type': '2', 'max-keys': '1', prefix: `${root}gatehouse-test/` } },
      'denied_list',
    )
    if (!listed.body.includes('<ListBucketResult')) throw new Failed(`${key} not_understood`)
  }
  const remove = async (query: Record<string, string>): Promise<void> => {
    const answer = await ask({ key: 'maintenance', method: 'DELETE', name, query })
    // The server key may have deleted it.
    if (!isDone(answer) && answer.status !== 404) throw new Failed(`maintenance ${reasonOf(answer, 'denied_delete')}`)
  }
  const clean = async (): Promise<void> => {
    // Without its version, a deletion would leave a marker.
    for (const query of versions.length === 0 ? [{}] : versions.map((versionId) => ({ versionId }))) await remove(query)
  }
  try {
    await write()
    const body = await write()
    await expectBody('server', body)
    await expectListed('server')
    await expectBody('maintenance', body)
    await expectListed('maintenance')
    // Where versions are kept, a deletion that names none only hides the object.
    const [versionId] = versions
    const deleted = await ask({ key: 'server', method: 'DELETE', name, ...(versionId !== undefined && { query: { versionId } }) })
    await clean()
    const findings = [...(isDone(deleted) ? ['can_delete' as const] : []), ...(versionId === undefined ? ['can_overwrite' as const] : [])]
    return { problem: null, findings }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    // What it wrote before. That this fails as well says nothing new.
    signal = AbortSignal.timeout(maxCleaningMs)
    await clean().catch(() => undefined)
    return { problem: error.problem, findings: [] }
  }
}

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300

const byCode: Readonly<Record<string, CheckReason>> = {
  NoSuchBucket: 'no_bucket',
  InvalidAccessKeyId: 'unknown_key',
  SignatureDoesNotMatch: 'wrong_secret',
  RequestTimeTooSkewed: 'clock',
  PermanentRedirect: 'region',
  AuthorizationHeaderMalformed: 'region',
  IllegalLocationConstraintException: 'region',
  QuotaExceeded: 'full',
  InsufficientStorage: 'full',
  XMinioStorageFull: 'full',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
}

function reasonOf({ status, code }: Answer, denied: CheckReason): CheckReason {
  const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined
  if (known) return known
  if (status === 301 || status === 307) return 'region'
  if (status === 401 || status === 403) return denied
  if (status === 507) return 'full'
  return status === 429 || status >= 500 ? 'busy' : 'not_understood'
}
