/** What PostgreSQL and a second portal cost: the same read on both engines, and lines that come through the other portal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Estate, openEstate } from '../browser/security/estate'
import { makePlace, type Place } from '../support/gatehouse-process'
import { findProcess } from '../support/place-processes'
import { addressText, openPostgresql } from '../support/postgresql'
import { startInstall, viewInstall } from './fan-out'
import { type Figure, quantile } from './figure'
import { runFlatOut, runSteadily, type Target } from './load'
import { readMemoryMb, readShareMb } from './process-stat'
import type { Section } from './report'

const manner = { msPerLine: 100, installLines: 250, stamped: true }

/** Milliseconds that a warm portal adds to a read at the median. */
async function measureAdded(estate: Estate): Promise<number> {
  const { upstream } = estate.teams.ours
  const path = `/servers/${[...upstream.model.servers.keys()][0]}/summary`
  const service: Target = { name: 'service', port: upstream.port, path, headers: { authorization: `Bearer ${upstream.key}` } }
  const headers = { cookie: estate.owner.cookie, host: `localhost:${estate.place.port}` }
  const portal: Target = {
    name: 'portal',
    port: estate.place.port,
    path: `/api/operations/servers.summary?server=${estate.serverId}`,
    headers,
  }
  await runFlatOut(portal, 32, 15)
  await runSteadily([service, portal], 50, 4)
  const times = await runSteadily([service, portal], 50, 20)
  return quantile(times.get('portal') ?? [], 0.5) - quantile(times.get('service') ?? [], 0.5)
}

/** Another portal beside that of the estate, as on a second machine with the first one's keys. */
async function startSecond(estate: Estate, shared: Record<string, string>): Promise<Place & AsyncDisposable> {
  const place = await makePlace({ ...shared, UPSTREAM_URL: estate.place.env.UPSTREAM_URL ?? '', ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  mkdirSync(join(place.dir, 'keys'), { mode: 0o700 })
  cpSync(join(estate.place.dir, 'keys', 'portal'), join(place.dir, 'keys', 'portal'), { recursive: true })
  const { NODE_ENV: _, ...inherited } = process.env
  const env = { ...inherited, ...place.env, PUBLIC_URL: `http://localhost:${estate.place.port}`, NODE_ENV: 'production' }
  const child = spawn(process.execPath, ['lib/launcher/portal.mjs'], {
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ready = () =>
    fetch(`http://127.0.0.1:${place.port}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let left = 600; !(await ready()); left -= 1) {
    if (left === 0 || child.exitCode !== null) throw new Error('The second portal did not become ready.')
    await delay(100)
  }
  return {
    ...place,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'close')
      place[Symbol.dispose]()
    },
  }
}

const viewers = 20

/** Milliseconds from the service's line to viewers who came through the portal at that port; and how many lines did not come. */
async function watchThrough(estate: Estate, port: number): Promise<{ delays: number[]; lost: number }> {
  const jobId = await startInstall(estate, `watched-at-${port}`)
  const people = await Promise.all(Array.from({ length: viewers }, () => estate.join('ours', 'viewer')))
  const viewings = people.map(({ cookie }) => viewInstall({ port, host: `localhost:${estate.place.port}` }, jobId, cookie))
  const since = Math.max(...(await Promise.all(viewings.map(({ opened }) => opened))))
  const seen = await Promise.all(viewings.map((viewing) => viewing.seen))
  const lines = Math.max(...seen.map(({ length }) => length))
  const settledMs = 500
  return {
    delays: seen.flat().flatMap(({ sent, delay: late }) => (sent > since + settledMs ? [late] : [])),
    lost: seen.reduce((sum, { length }) => sum + lines - length, 0),
  }
}

export async function measureSeveralPortals(): Promise<Section> {
  const sqlite = await withEstate({}, measureAdded)
  await using data = await openPostgresql('empty')
  const shared = { DATABASE_URL: addressText(data.address) }
  return await withEstate(shared, async (estate) => {
    const postgresql = await measureAdded(estate)
    await using second = await startSecond(estate, shared)
    const own = await watchThrough(estate, estate.place.port)
    const other = await watchThrough(estate, second.port)
    const pids = [estate.place, second].map((place) => findProcess(place, 'portal-main'))
    const memory = pids.flatMap((pid, index): Figure[] => {
      const which = index === 0 ? 'first' : 'second'
      return [
        { what: `memory of the ${which} portal`, value: readMemoryMb(pid), unit: 'MB', target: 350, floor: 600 },
        { what: `memory of the ${which} portal, shared pages in parts`, value: readShareMb(pid), unit: 'MB' },
      ]
    })
    return {
      title: 'PostgreSQL, and two portals on it',
      how: `A read as above, on SQLite and then on a PostgreSQL of this machine; then an install of ten lines a second, watched by ${viewers} through the portal that follows it, and another by ${viewers} through the other portal.`,
      figures: [
        { what: 'added by the portal on SQLite, p50', value: sqlite, unit: 'ms' },
        { what: 'added by the portal on PostgreSQL, p50', value: postgresql, unit: 'ms' },
        { what: 'PostgreSQL against SQLite', value: postgresql / sqlite, unit: 'times', target: 1.5, floor: 3 },
        { what: 'line through the portal that follows, p50', value: quantile(own.delays, 0.5), unit: 'ms' },
        { what: 'line through the other portal, p50', value: quantile(other.delays, 0.5), unit: 'ms', target: 60, floor: 400 },
        { what: 'line through the other portal, p95', value: quantile(other.delays, 0.95), unit: 'ms' },
        { what: 'lines lost', value: own.lost + other.lost, unit: 'lines', target: 0, floor: 0 },
        ...memory,
      ],
    }
  })
}

async function withEstate<T>(environment: Record<string, string>, measure: (estate: Estate) => Promise<T>): Promise<T> {
  await using estate = await openEstate(process.cwd(), manner, { LOG_LEVEL: 'info', ...environment })
  return await measure(estate)
}
