/** From the line that a service sends to the event that a viewer receives. */
import { get, type IncomingMessage } from 'node:http'
import { callAction, Form } from '../browser/security/action-call'
import type { Estate } from '../browser/security/estate'
import { type Figure, quantile } from './figure'
import { findPid, readMemoryMb } from './process-stat'
import type { Section } from './report'

const now = () => performance.timeOrigin + performance.now()

/** Follows a job to its end as one viewer; gives the delay of each line in milliseconds. */
function view(port: number, jobId: string, cookie: string): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, host: `localhost:${port}` }
    get({ host: '127.0.0.1', port, path: `/api/jobs/${jobId}/events`, headers, agent: false }, (stream: IncomingMessage) => {
      if (stream.statusCode !== 200) reject(new Error(`A viewer got ${stream.statusCode}.`))
      const delays: number[] = []
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        for (const [, sent] of text.matchAll(/✓ (\d+\.\d+)/g)) delays.push(now() - Number(sent))
      })
      stream.once('close', () => resolve(delays))
    }).once('error', reject)
  })
}

async function startInstall(estate: Estate, name: string): Promise<string> {
  const { caller, owner } = estate
  estate.teams.ours.upstream.addServer({ name })
  const listed: { servers: { id: string; name: string }[] } = JSON.parse(
    (await caller.call('/api/servers', { cookie: owner.cookie, headers: { 'cache-control': 'no-cache' } })).text,
  )
  const serverId = listed.servers.find((server) => server.name === name)?.id ?? ''
  const answer = await callAction(caller, estate.action('installServer'), [null, new Form({ serverId })], { cookie: owner.cookie })
  const { data } = answer.value as { data?: { jobId: string } }
  if (!data) throw new Error(`The install was not started: ${answer.status} ${answer.text}`)
  return data.jobId
}

export async function measureFanOut(estate: Estate): Promise<Section> {
  const pid = findPid(estate.place, 'portal')
  const figures: Figure[] = []
  for (const viewers of [1, 20, 500]) {
    const people = await Promise.all(Array.from({ length: viewers }, () => estate.join('ours', 'viewer')))
    const before = readMemoryMb(pid)
    const jobId = await startInstall(estate, `watched-by-${viewers}`)
    const seen = await Promise.all(people.map(({ cookie }) => view(estate.place.port, jobId, cookie)))
    const lines = Math.max(...seen.map(({ length }) => length))
    const lost = seen.reduce((sum, { length }) => sum + lines - length, 0)
    const delays = seen.flat()
    const bars =
      viewers <= 20
        ? [
            { target: 5, floor: 100 },
            { target: 20, floor: 100 },
          ]
        : [{}, { target: 100, floor: 300 }]
    figures.push(
      { what: `${viewers} viewers, p50`, value: quantile(delays, 0.5), unit: 'ms', ...bars[0] },
      { what: `${viewers} viewers, p95`, value: quantile(delays, 0.95), unit: 'ms', ...bars[1] },
      { what: `${viewers} viewers, lines lost`, value: lost, unit: 'lines', target: 0, floor: 0 },
    )
    if (viewers === 500)
      figures.push({ what: 'memory for 500 viewers', value: readMemoryMb(pid) - before, unit: 'MB', target: 150, floor: 300 })
  }
  return {
    title: 'Watching an install',
    how: 'Ten lines a second from the service, to the last byte of the event at each viewer.',
    figures,
  }
}
