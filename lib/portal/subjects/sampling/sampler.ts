/** The sampler: checks every server every few minutes and stores the results for all users who may see the server. */
import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { contract } from '@/lib/contract'
import { placeOfFailure } from '@/lib/contract/reachability'
import { log } from '@/lib/log'
import { asLeader } from '@/lib/portal/base/portals/join'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import { msToWait } from '@/lib/portal/upstream/back-off'
import { callConnection } from '@/lib/portal/upstream/unattended'
import { noteCheck } from '../findings/note'
import { sampleOf } from '../samples/sample'
import { beginGathering, countWaiting, endGathering, findCheckedAt, gather, isGathering, writeWaiting } from '../samples/store'
import { findWay, listAsked } from './plan'

export type Sampler = { stop: () => Promise<void> }

// At most five servers a second, four at a time: with thousands of servers a round takes longer instead of overloading the service.
const leastGapMs = 200
const maxAtOnce = 4
// The rest of the time is a reserve for slow checks.
const spreadOver = 0.8
const maxWaiting = 500

/** The first round starts after `everyMs`, because the start-up has more urgent work. A long round delays the next one. */
export function startSampler(everyMs: number): Sampler {
  const stopped = new AbortController()
  beginGathering()
  const going = goOn(everyMs, stopped.signal)
  return {
    stop: async () => {
      stopped.abort()
      await going
      endGathering()
    },
  }
}

async function goOn(everyMs: number, signal: AbortSignal): Promise<void> {
  let due = Date.now() + everyMs
  for (;;) {
    await pause(Math.max(leastGapMs, due - Date.now()), signal)
    if (signal.aborted) return
    due = Date.now() + everyMs
    try {
      await asLeader((lost) => sampleRound(everyMs, AbortSignal.any([signal, lost])))
    } catch (error) {
      log.error({ err: error }, 'the servers could not be checked')
    }
  }
}

/** Checks each server once, spread over the available time, and writes the samples at the end. */
export async function sampleRound(everyMs: number, signal: AbortSignal): Promise<void> {
  const ids = await listAsked()
  const gapMs = Math.max(leastGapMs, (everyMs * spreadOver) / Math.max(1, ids.length))
  const round = { failures: new Map<string, number>(), everyMs }
  const asking = new Set<Promise<void>>()
  for (const [index, id] of ids.entries()) {
    if (index > 0) await pause(gapMs, signal)
    if (signal.aborted) break
    if (asking.size >= maxAtOnce) await Promise.race(asking)
    const ask: Promise<void> = checkServer(id, round).finally(() => asking.delete(ask))
    asking.add(ask)
    if (countWaiting() >= maxWaiting) await writeWaiting()
  }
  await Promise.all(asking)
  await writeWaiting()
}

/** Does not keep the process alive, and ends immediately when aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { ref: false, signal }).catch(() => undefined)

type Round = { failures: Map<string, number>; everyMs: number }

// One server may make a service fail; three failures in a row are blamed on the service.
const maxFailures = 3

/** Checks one server at once, because something on it has changed. Does nothing unless the portal samples. */
export async function checkNow(serverId: string): Promise<void> {
  if (!isGathering()) return
  await checkServer(serverId, { failures: new Map(), everyMs: 0 })
  await writeWaiting()
}

/** Skips servers that were just checked, and services that are unreachable or asked the portal to slow down. */
async function checkServer(serverId: string, { failures, everyMs }: Round): Promise<void> {
  try {
    if (Date.now() - (findCheckedAt(serverId) ?? 0) < everyMs / 2) return
    const way = await findWay(serverId)
    if (!way) return
    const { server, connection } = way
    const failed = () => failures.get(connection.id) ?? 0
    if (failed() >= maxFailures || msToWait(connection) > 0) return
    const pathParameters = { server_id: server.upstreamId }
    const request = prepareRequest(contract.servers.summary, { connection, server, pathParameters }, {})
    if (!request.ok) return
    const outcome = await callConnection(connection, contract.servers.summary, request.data)
    failures.set(connection.id, !outcome.ok && placeOfFailure(outcome.problem) === 'between' ? failed() + 1 : 0)
    await noteCheck(server, { connectionId: connection.id, operation: contract.servers.summary, fields: {}, outcome })
    const sample = sampleOf(serverId, outcome, Date.now())
    if (sample) gather(sample)
  } catch (error) {
    log.error({ err: error, serverId }, 'a server could not be checked')
  }
}
