/** From the line that a service sends to the event that a viewer receives. */
import { get, type IncomingMessage } from 'node:http'
import { callAction, Form } from '../browser/security/action-call'
import type { Estate } from '../browser/security/estate'
import { findHolder } from '../support/claimant'
import { type Figure, quantile } from './figure'
import { runSteadily } from './load'
import { readMemoryMb } from './process-stat'
import { startBareProxy } from './proxies'
import type { Section } from './report'

const now = () => performance.timeOrigin + performance.now()

type Seen = { sent: number; delay: number }

/** opened: when the first byte came. seen: every line to the job's end, both in milliseconds. */
type Viewing = { opened: Promise<number>; seen: Promise<Seen[]> }

/** Follows a job as one viewer. host: the portal's public one. */
export function viewInstall({ port, host }: { port: number; host: string }, jobId: string, cookie: string): Viewing {
  const headers = { cookie, host }
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/api/jobs/${jobId}/events`, headers, agent: false }, resolve).once('error', reject)
  })
  const follow = async () => {
    const stream = await answer
    if (stream.statusCode !== 200) throw new Error(`A viewer got ${stream.statusCode}.`)
    const seen: Seen[] = []
    for await (const text of stream.setEncoding('utf8')) {
      for (const [, sent] of String(text).matchAll(/✓ (\d+\.\d+)/g)) seen.push({ sent: Number(sent), delay: now() - Number(sent) })
    }
    return seen
  }
  return { opened: answer.then((stream) => new Promise((resolve) => stream.once('readable', () => resolve(now())))), seen: follow() }
}

/** A new server, and its install: gives the job to watch. */
export async function startInstall(estate: Estate, name: string): Promise<string> {
  const act = async (action: string, fields: Record<string, string>): Promise<Record<string, string>> => {
    const answer = await callAction(estate.caller, estate.action(action), [null, new Form(fields)], { cookie: estate.owner.cookie })
    const { data } = answer.value as { data?: Record<string, string> }
    if (!data) throw new Error(`${action} was not done: ${answer.status} ${answer.text}`)
    return data
  }
  const login = { host: '192.0.2.10', port: '22', user: 'root', pass: 'password' }
  const { serverId = '' } = await act('createServer', { provider: 'custom', dns: 'None', name, region: '', type: '', ...login })
  const { jobId = '' } = await act('installServer', { serverId })
  return jobId
}

/** Milliseconds, p50: how fast this machine is at the moment. */
async function measureBareProxy({ teams }: Estate): Promise<number> {
  const { upstream } = teams.ours
  await using bare = await startBareProxy(upstream.port)
  const path = `/servers/${[...upstream.model.servers.keys()][0]}/summary`
  const target = { name: 'bare proxy', port: bare.port, path, headers: { authorization: `Bearer ${upstream.key}` } }
  await runSteadily([target], 50, 2)
  return quantile((await runSteadily([target], 50, 8)).get(target.name) ?? [], 0.5)
}

// Whoever has just come is still catching up.
const settleMs = 500

export async function measureFanOut(estate: Estate): Promise<Section> {
  const pid = findHolder(estate.place, 'portal')
  const portal = { port: estate.place.port, host: `localhost:${estate.place.port}` }
  const figures: Figure[] = []
  const bareMs = await measureBareProxy(estate)
  for (const viewers of [1, 20, 500]) {
    const people = await Promise.all(Array.from({ length: viewers }, () => estate.join('ours', 'viewer')))
    const before = readMemoryMb(pid)
    const jobId = await startInstall(estate, `watched-by-${viewers}`)
    const viewings = people.map(({ cookie }) => viewInstall(portal, jobId, cookie))
    const since = Math.max(...(await Promise.all(viewings.map(({ opened }) => opened))))
    const seen = await Promise.all(viewings.map((viewing) => viewing.seen))
    const lines = Math.max(...seen.map(({ length }) => length))
    const lost = seen.reduce((sum, { length }) => sum + lines - length, 0)
    // Lines from before somebody came are old when they are seen.
    const delays = seen.flat().flatMap(({ sent, delay }) => (sent > since + settleMs ? [delay] : []))
    const bars =
      viewers <= 20
        ? [
            { target: 5, floor: 100 },
            { target: 20, floor: 100 },
          ]
        : [{}, {}]
    figures.push(
      { what: `${viewers} viewers, p50`, value: quantile(delays, 0.5), unit: 'ms', ...bars[0] },
      { what: `${viewers} viewers, p95`, value: quantile(delays, 0.95), unit: 'ms', ...bars[1] },
      { what: `${viewers} viewers, lines lost`, value: lost, unit: 'lines', target: 0, floor: 0 },
    )
    if (viewers === 500) {
      figures.push({ what: 'a read of the bare proxy, p50', value: bareMs, unit: 'ms' })
      // 50 ms where such a read takes 1.1 ms.
      figures.push({ what: '500 viewers, p95 against it', value: quantile(delays, 0.95) / bareMs, unit: 'times', target: 45, floor: 150 })
      figures.push({ what: 'memory for 500 viewers', value: readMemoryMb(pid) - before, unit: 'MB', target: 150, floor: 300 })
    }
  }
  return {
    title: 'Watching an install',
    how: 'Ten lines a second from the service, each stored before it is sent on; timed to the last byte at each viewer, once all viewers are connected.',
    figures,
  }
}
