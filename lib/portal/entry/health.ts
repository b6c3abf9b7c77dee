/** Whether the portal is ready to serve requests. */
import 'server-only'
import { describePlace, portalPlace } from '@/lib/database/place'
import { createWriteCheck, isWritable, type Writable } from '@/lib/database/write-check'
import { log } from '@/lib/log'
import { endingSignal } from '@/lib/portal/base/ending'
import { processState } from '@/lib/portal/base/process-state'
import { writeNothing } from '@/lib/portal/base/sql/health'
import { probeService } from '@/lib/portal/upstream/probe'
import { getSettings } from '@/lib/settings/settings'

// Also with PostgreSQL: the signed heads of the audit log are in that folder.
const writeCheck = processState('write check', () => createWriteCheck(getSettings().portalDatabase, writeNothing, tell))

const tell = (writable: boolean): void => {
  if (writable) log.info('the database accepts writes again')
  else log.error({ database: describePlace(portalPlace(getSettings())) }, 'the database rejects writes: it is locked, or its disk is full')
}

// Anyone may ask, so the service is asked at most this often.
const freshMs = 2000
const lastProbe = processState('service check', () => ({ at: 0, answers: Promise.resolve(false) }))

function checkService(): Promise<boolean> {
  const last = lastProbe()
  if (Date.now() - last.at >= freshMs) Object.assign(last, { at: Date.now(), answers: probeService() })
  return last.answers
}

/** True if the database accepts a write, its disk has free space, and this process is not about to end. Reveals nothing more, because anyone may call it. */
export const isReady = async (): Promise<boolean> => isWritable(await writeCheck()()) && !endingSignal().aborted

/** ready: everything that the portal needs is there. service: the bundled one, or that of UPSTREAM_URL, answers. */
type Readiness = Writable & { service: boolean; ready: boolean }

export async function checkReadiness(): Promise<Readiness> {
  const [writable, service] = await Promise.all([writeCheck()(), checkService()])
  return { ready: isWritable(writable) && service && !endingSignal().aborted, ...writable, service }
}

const headers = { 'cache-control': 'no-store' }

/** Answers a health check, for GET and for HEAD: Next calls the handler of GET for both. */
export const answerHealth = (body: object, isGood: boolean): Response => Response.json(body, { status: isGood ? 200 : 503, headers })

/** The answer to other methods. */
export const refuseMethod = (): Response => new Response(null, { status: 405, headers: { ...headers, allow: 'GET, HEAD' } })
