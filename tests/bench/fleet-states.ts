/** What the backups, copies and nights of 200 servers cost Home and the page of all backups. */
import { setTimeout as pause } from 'node:timers/promises'
import { db } from '@/lib/portal/base/db'
import type { Estate } from '../browser/security/estate'
import { findHolder } from '../support/claimant'
import { type Figure, median } from './figure'
import { readCpuMs } from './process-stat'
import type { Section } from './report'

const [servers, sitesEach, nights, reads] = [200, 10, 7, 30]
const dayMs = 86_400_000

const pages = [
  ['Home', '/'],
  ['Backups', '/backups'],
] as const

type Cost = { ms: number; cpuMs: number }

/** The servers and sites of the fleet are listed once through the portal, so that its pages know them. */
async function addFleet(estate: Estate): Promise<void> {
  const { ours } = estate.teams
  for (let index = 0; index < servers; index += 1) {
    const server = ours.upstream.addServer({ name: `web-${index}`, state: 'ready' })
    for (let site = 0; site < sitesEach; site += 1) {
      const backup_at = new Date(Date.now() - dayMs / 4).toISOString()
      ours.upstream.addSite({ domain: `shop-${index}-${site}.example`, server, listed: { state: 'ready', backup_at } })
    }
  }
  const where = { teamId: ours.id, goneAt: null }
  for (const path of ['/api/servers', '/api/sites']) {
    const count = () => (path === '/api/servers' ? db().server.count({ where }) : db().site.count({ where }))
    const wanted = path === '/api/servers' ? servers : servers * sitesEach
    // A list that was read a moment ago is not read again.
    for (let tries = 0; tries < 60 && (await count()) < wanted; tries += 1) {
      await read(estate, path)
      await pause(2_000)
    }
    if ((await count()) < wanted) throw new Error(`${path} lists fewer than ${wanted}.`)
  }
}

/** Each site was copied to two targets every night of a week. Each night a server reported its backup and its updates, and each site its copy. */
async function addStates({ teams: { ours } }: Estate): Promise<void> {
  const run = (sql: string) => db().$executeRawUnsafe(sql)
  const timeOf = (night: number) => new Date(Date.now() - night * dayMs - 4 * 3_600_000).toISOString()
  for (const target of ['near', 'far']) {
    await run(`INSERT INTO "BackupTarget" ("id", "teamId", "label", "kind", "address", "sealed", "kekId", "secretVersion", "checkedAt")
      VALUES ('${target}', '${ours.id}', '${target}', 's3', '{}', x'', '', 1, '${timeOf(nights)}')`)
    await run(`INSERT INTO "BackupRepository" ("id", "targetId", "serverId", "serverName", "sealed", "kekId")
      SELECT '${target} ' || "id", '${target}', "id", "name", x'', '' FROM "Server" WHERE "teamId" = '${ours.id}'`)
    for (let night = 0; night < nights; night += 1) {
      await run(`INSERT INTO "BackupCopy" ("id", "repositoryId", "siteId", "domain", "state", "startedAt", "provenAt", "bytes")
        SELECT '${target} ${night} ' || "id", '${target} ' || "serverId", "id", "domain", 'done', '${timeOf(night)}', '${timeOf(night)}', 1000000
        FROM "Site" WHERE "serverId" IS NOT NULL AND "teamId" = '${ours.id}'`)
    }
  }
  const jobOf = (operation: string, night: number, values: string, from: string) => {
    const columns = '"id", "teamId", "operation", "state", "lease", "startedAt", "heardAt", "endedAt"'
    const times = Array.from({ length: 3 }, () => `'${timeOf(night)}'`).join(', ')
    return run(`INSERT INTO "Job" (${columns}, "targetName", "serverId", "siteId", "serverEvent")
      SELECT '${operation} ${night} ' || "id", "teamId", '${operation}', 'done', '', ${times}, ${values} FROM "${from}" WHERE "teamId" = '${ours.id}'`)
  }
  for (let night = 0; night < nights; night += 1) {
    for (const event of ['event.backup', 'event.updates']) await jobOf(event, night, `"name", "id", NULL, '${event} ${night}'`, 'Server')
    await jobOf('copies.make', night, `"domain", "serverId", "id", NULL`, 'Site')
  }
}

async function read({ place, owner: { cookie } }: Estate, path: string): Promise<void> {
  const answer = await fetch(`http://localhost:${place.port}${path}`, { headers: { cookie, connection: 'close' } })
  await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
}

/** Medians of reads that each follow a write, because what was read before is kept until then. */
async function costOf(estate: Estate, path: string): Promise<Cost> {
  const pid = findHolder(estate.place, 'portal')
  const [ms, cpuMs]: [number[], number[]] = [[], []]
  for (let index = 0; index < reads; index += 1) {
    await db().team.updateMany({ where: { id: estate.teams.ours.id }, data: { idleMinutes: { increment: 1 } } })
    const [since, cpuSince] = [performance.now(), readCpuMs(pid)]
    await read(estate, path)
    ms.push(performance.now() - since)
    cpuMs.push(readCpuMs(pid) - cpuSince)
  }
  const settled = reads / 3
  return { ms: median(ms.slice(settled)), cpuMs: median(cpuMs.slice(settled)) }
}

export async function measureFleetStates(estate: Estate): Promise<Section> {
  await addFleet(estate)
  const before = new Map<string, Cost>()
  for (const [, path] of pages) before.set(path, await costOf(estate, path))
  await addStates(estate)
  const figures: Figure[] = []
  for (const [name, path] of pages) {
    const [without, withStates] = [before.get(path) ?? { ms: 0, cpuMs: 0 }, await costOf(estate, path)]
    figures.push(
      { what: `${name} without states`, value: without.ms, unit: 'ms' },
      { what: `${name} with them`, value: withStates.ms, unit: 'ms' },
      { what: `${name}, what they cost`, value: withStates.ms - without.ms, unit: 'ms', target: 50, floor: 100 },
      { what: `${name}, processor time of that`, value: withStates.cpuMs - without.cpuMs, unit: 'ms' },
    )
  }
  return {
    title: 'Backups and nights of 200 servers',
    how: `A service with ${servers} servers of ${sitesEach} sites each; the owner opens Home and Backups, each ${reads} times after a write, first without states, then with a week of copies of each site at two targets and a week of nights. The medians leave out the first third.`,
    figures,
  }
}
