/** Two whole portals and one service on PostgreSQL, as their operators start them, behind a balancer. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Balancer, startBalancer } from './balancer'
import { type ChildProgram, followProgram } from './child-program'
import { makePlace, type Place } from './gatehouse-process'
import { npmRun } from './npm-run'
import { addressText, openPostgresql } from './postgresql'

type Half = ChildProgram & { child: ChildProcess }

export type PortalPair = AsyncDisposable & {
  /** Of the balancer, as people reach it. */
  url: string
  balancer: Balancer
  /** Folders and ports of the two; the first one's has the service as well. */
  places: readonly [Place, Place]
  /** Makes the first account, once. */
  setupLink: string
  portal(which: 0 | 1): Half
  /** All processes of a portal at once, as when its machine fails. */
  kill(which: 0 | 1): void
  /** Starts it, on what it left. */
  start(which: 0 | 1): void
  /** Resolves when exactly these take requests. Throws with what the portals printed if that takes over five minutes: the first one may have to build. */
  untilReady(...which: (0 | 1)[]): Promise<void>
}

function start(place: Place, half: 'portal' | 'service'): Half {
  const { NODE_ENV: _, ...inherited } = process.env
  const env: NodeJS.ProcessEnv = { ...inherited, ...place.env, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [`lib/launcher/${half}.mjs`], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ...followProgram(child) }
}

/** Resolves when the service has made its database. */
async function untilMade(place: Place): Promise<void> {
  for (let left = 60; npmRun(place, 'service:keys', 'list').status !== 0; left -= 1) {
    if (left === 0) throw new Error('The service did not start.')
    await delay(1_000)
  }
}

/** Both portals are ready when it resolves. Everything is ended and cleared away when it is disposed of. */
export async function openPortalPair(): Promise<PortalPair> {
  const opened: (() => unknown)[] = []
  const close = async () => {
    for (const each of opened.splice(0).reverse()) await each()
  }
  try {
    return { ...(await open((each) => opened.push(each))), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** afterwards: takes what ends a part, in the order in which the parts begin. */
async function open(afterwards: (end: () => unknown) => void): Promise<Omit<PortalPair, keyof AsyncDisposable>> {
  const keep = <T extends AsyncDisposable | Disposable>(part: T): T => {
    afterwards(() => (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]()))
    return part
  }
  const portalData = keep(await openPostgresql('empty'))
  const serviceData = keep(await openPostgresql('empty'))
  const balancer = keep(await startBalancer())
  const url = `http://localhost:${balancer.port}`
  const shared = {
    DATABASE_URL: addressText(portalData.address),
    SERVICE_DATABASE_URL: addressText(serviceData.address),
    PUBLIC_URL: url,
  }
  const first = keep(await makePlace(shared))
  const second = keep(await makePlace({ ...shared, SERVICE_PORT: String(first.servicePort) }))
  const places = [first, second] as const
  const keyFile = join(first.dir, 'service-key')
  for (const { env } of places) env.SERVICE_KEY_FILE = keyFile
  keep(start(first, 'service'))
  await untilMade(first)
  writeFileSync(keyFile, npmRun(first, 'service:keys', 'create', '--account', 'portal').said, { mode: 0o400 })
  balancer.use([first.port, second.port])

  const portals: Half[] = []
  const startPortal = (which: 0 | 1) => {
    portals[which] = keep(start(places[which], 'portal'))
  }
  const untilReady = async (...which: (0 | 1)[]) => {
    const wanted = which.map((each) => places[each].port).join()
    for (let left = 3_000; balancer.ready().join() !== wanted; left -= 1) {
      if (left === 0)
        throw new Error(`Ready are ${balancer.ready().join()} of ${wanted}:\n${portals.map((half) => half.output()).join('\n')}`)
      await delay(100)
    }
  }
  startPortal(0)
  await untilReady(0)
  // As the operator does for the second machine.
  mkdirSync(join(second.dir, 'keys'), { mode: 0o700 })
  cpSync(join(first.dir, 'keys', 'portal'), join(second.dir, 'keys', 'portal'), { recursive: true })
  startPortal(1)
  await untilReady(0, 1)
  return {
    url,
    balancer,
    places,
    setupLink: /http\S+/.exec(npmRun(first, 'owner', 'setup').said)?.[0] ?? '',
    portal: (which) => portals[which] as Half,
    kill: (which) => void process.kill(-(portals[which]?.child.pid ?? 0), 'SIGKILL'),
    start: startPortal,
    untilReady,
  }
}
