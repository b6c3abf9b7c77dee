/** Two portals on one PostgreSQL behind a balancer: 20 people change things and 50 watch installs while portals are killed, stopped and cut off. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { checkMs, startBalancer } from '@/tests/support/balancer'
import { openNetwork } from '@/tests/support/cut-network'
import { findFreePort } from '@/tests/support/gatehouse-process'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { upTo } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { openOwnCluster, postgresqlMissing } from '@/tests/support/postgresql'
import { openChance } from '@/tests/support/seeds'
import { startPortal, untilReady } from '@/tests/support/shared-portals'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'
import { ask } from './ask'
import { kinds, type Portal, planEvents } from './events'
import { type Change, changeThings, handIn, type Person } from './people'
import { type Happened, renderTable } from './table'
import { findWrong, untilSettled } from './verdict'
import { type Seen, watchInstalls } from './watchers'

const [people, watchers, installsAtOnce, installLines] = [20, 50, 3, 80]

/** KILLS: how many events, one of each kind when unset. KILL_MINUTES: after so many no more begin. */
const events = Number(process.env.KILLS ?? Object.keys(kinds).length)
const minutes = Number(process.env.KILL_MINUTES ?? Number.POSITIVE_INFINITY)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** A server for each person, and those to install, with sessions that outlast the test. */
async function openScene(upstream: Upstream) {
  const team = await createTeam()
  const actors = []
  for (const _ of upTo(people)) actors.push(await team.join('operator'))
  await team.connect(upstream)
  const names = [...upTo(people).map((number) => `person-${number}`), ...upTo(installsAtOnce * 4).map((number) => `install-${number}`)]
  for (const name of names) upstream.addServer({ name })
  const [first] = actors
  if (!first) throw new Error('There is nobody.')
  const { servers } = await listServers(first)
  const later = new Date(Date.now() + 86_400_000)
  await db().session.updateMany({ data: { expiresAt: later, seenAt: later } })
  const idOf = (name: string) => servers.find((server) => server.name === name)?.id ?? ''
  const persons = actors.map(({ sessionId }, index): Person => {
    const name = names[index] ?? ''
    return { sessionId, name, serverId: idOf(name) }
  })
  return { persons, toInstall: names.slice(people).map(idOf) }
}

/** With its own data folder and network, as on another machine. */
async function openPortal({ settings }: PortalDatabase, name: string): Promise<Portal & AsyncDisposable> {
  const { portalPostgresql } = settings
  if (!portalPostgresql) throw new Error('The portal is not on PostgreSQL.')
  const network = await openNetwork(portalPostgresql)
  const port = await findFreePort()
  mkdirSync(join(settings.dataDir, name, 'portal'), { recursive: true, mode: 0o700 })
  const place = { ...settings, portalPostgresql: network.through(portalPostgresql) }
  const start = () => startPortal(place, [], { folder: name, deskPort: port })
  const portal: Portal = {
    port,
    network,
    child: start(),
    restart: async () => {
      portal.child = start()
      await untilReady(portal.child)
    },
  }
  await untilReady(portal.child)
  const close = async () => {
    portal.child.kill('SIGKILL')
    await network[Symbol.asyncDispose]()
  }
  return Object.assign(portal, { [Symbol.asyncDispose]: close })
}

/** Installs one server after the other until `isOver`. current: the job that runs now. */
async function installThings(port: number, { sessionId }: Person, serverIds: readonly string[], isOver: () => boolean, how: Installing) {
  for (let turn = 0; !isOver(); turn += 1) {
    const serverId = serverIds[turn % serverIds.length] ?? ''
    const { jobId } = await handIn(port, sessionId, { kind: 'install', serverId, name: '' }, how.changes)
    how.show(jobId)
    const isRunning = async () => {
      const running = await ask<{ id: string; serverId: string }[]>({ port, path: '/running', sessionId })
      return running?.some((job) => job.serverId === serverId) ?? true
    }
    while (await isRunning()) await delay(300)
    how.show(undefined)
  }
}

type Installing = { changes: Change[]; show: (jobId: string | undefined) => void }

test.skipIf(postgresqlMissing)(
  'nothing acknowledged is lost or done twice, and no line is lost or doubled',
  {
    timeout: events * 90_000 + 1_200_000,
  },
  async () => {
    const chance = openChance()
    await using cluster = await openOwnCluster()
    await using portal = await openPortalDatabase({ postgresql: cluster })
    await using upstream = await startUpstream({ extensions: true, installLines, msPerLine: 75 })
    await using balancer = await startBalancer()
    const { persons, toInstall } = await openScene(upstream)
    await using one = await openPortal(portal, 'one')
    await using other = await openPortal(portal, 'other')
    const portals = [one, other]
    const ports = portals.map(({ port }) => port)
    balancer.use(ports)
    const bothReady = async () => {
      // What the balancer knows is from before.
      await delay(2 * checkMs)
      // A machine that is busy with other things may take minutes to start a portal.
      await expect.poll(() => balancer.ready().length, { timeout: 600_000, interval: 100 }).toBe(2)
    }
    await bothReady()

    let over = false
    const isOver = () => over
    const [changes, seen, happened, broken]: [Change[], Seen[], Happened[], string[]] = [[], [], [], []]
    const running: (string | undefined)[] = []
    const working = [
      ...persons.map((person) => changeThings(balancer.port, person, isOver, changes)),
      ...upTo(installsAtOnce).map((number) => {
        const mine = toInstall.filter((_, index) => index % installsAtOnce === number - 1)
        const show = (jobId: string | undefined) => {
          running[number - 1] = jobId
        }
        return installThings(balancer.port, persons[number] as Person, mine, isOver, { changes, show })
      }),
      ...upTo(watchers).map((number) =>
        watchInstalls(balancer.port, persons[number % people]?.sessionId ?? '', () => running[number % installsAtOnce], isOver, seen),
      ),
    ]
    const began = performance.now()
    for (const kind of planEvents(events, chance)) {
      if (performance.now() - began > minutes * 60_000) break
      await delay(500 + chance.below(2_000))
      const [since, before] = [performance.now(), changes.length]
      await kinds[kind].happen({ portals, cluster, chance }).catch((error: Error) => broken.push(error.message))
      await bothReady()
      const lostAnswers = changes.slice(before).filter(({ sent }) => sent > 1).length
      happened.push({ kind, readyMs: performance.now() - since, lostAnswers })
      if (happened.length % 10 === 0)
        say(`${happened.length} of ${events} events, ${changes.length} changes, ${seen.length} installs watched, ${broken.length} broken`)
    }
    await delay(3_000)
    over = true
    await Promise.all(working)
    await untilSettled()
    for (const { child } of portals) child.kill('SIGTERM')
    const { counts, wrong } = await findWrong({ changes, seen, upstream, installLines })
    say(`\nSEED=${chance.seed}: ${happened.length} of ${events} events\n${renderTable(happened)}\n${counts}`)
    expect([...broken, ...wrong]).toEqual([])
  },
)
