/** Two whole portals and one service on PostgreSQL, as their operators start them, behind a balancer. */
import { type Balancer, startBalancer } from './balancer'
import { makePlace, type Place } from './gatehouse-process'
import { npmRun } from './npm-run'
import { copyKeys, type Half, startHalf, startService, untilReady } from './portal-halves'
import { addressText, openPostgresql } from './postgresql'

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
  /** Resolves when exactly these take requests. See portal-halves.ts. */
  untilReady(...which: (0 | 1)[]): Promise<void>
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
  keep(await startService(first, second))
  balancer.use([first.port, second.port])

  const portals: Half[] = []
  const startPortal = (which: 0 | 1) => {
    portals[which] = keep(startHalf(places[which], 'portal'))
  }
  const becomeReady = (...which: (0 | 1)[]) =>
    untilReady(
      balancer,
      which.map((each) => places[each].port),
      portals,
    )
  startPortal(0)
  await becomeReady(0)
  copyKeys(first, second)
  startPortal(1)
  await becomeReady(0, 1)
  return {
    url,
    balancer,
    places,
    setupLink: /http\S+/.exec(npmRun(first, 'owner', 'setup').said)?.[0] ?? '',
    portal: (which) => portals[which] as Half,
    kill: (which) => void process.kill(-(portals[which]?.child.pid ?? 0), 'SIGKILL'),
    start: startPortal,
    untilReady: becomeReady,
  }
}
