/** What happens to portals and their database while people work. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { CutNetwork } from '@/tests/support/cut-network'
import type { OwnCluster } from '@/tests/support/postgresql'
import type { Chance } from '@/tests/support/seeds'
import { ask } from './ask'

export type Portal = { port: number; network: CutNetwork; child: ChildProcess; restart(): Promise<void> }

export type Scene = { portals: readonly Portal[]; cluster: OwnCluster; chance: Chance }

type Happen = (scene: Scene) => Promise<void>

async function kill({ portals, chance }: Scene): Promise<void> {
  const portal = chance.pick(portals)
  const gone = once(portal.child, 'exit')
  portal.child.kill('SIGKILL')
  await gone
  await portal.restart()
}

/** Longer than this, systemd and the launcher do not wait. */
const endMs = 30_000

async function terminate({ portals, chance }: Scene): Promise<void> {
  const portal = chance.pick(portals)
  const gone = once(portal.child, 'exit')
  portal.child.kill('SIGTERM')
  const late = setTimeout(() => portal.child.kill('SIGKILL'), endMs)
  const [code] = await gone
  clearTimeout(late)
  await portal.restart()
  if (code !== 143) throw new Error(`A portal did not end in order within ${endMs / 1000} s.`)
}

const restartDatabase: Happen = ({ cluster, chance }) => cluster.restart(chance.pick(['fast', 'immediate']))

async function cutNetwork({ portals, chance }: Scene): Promise<void> {
  const { network } = chance.pick(portals)
  network.cut()
  // After 15 s the other portal takes over.
  await delay(chance.pick([2_000, 6_000, 20_000]))
  network.heal(chance.pick(['continue', 'reset']))
}

const stoppedMs = 30_000

async function stopLeader({ portals }: Scene): Promise<void> {
  const leaders = await Promise.all(portals.map(({ port }) => ask<boolean>({ port, path: '/leads', sessionId: '' }, 2_000)))
  const leader = portals[leaders.indexOf(true)] ?? portals[0]
  leader?.child.kill('SIGSTOP')
  await delay(stoppedMs)
  leader?.child.kill('SIGCONT')
}

/** often: of so many events in sum, how many are of this kind. */
export const kinds = {
  'kill -9': { happen: kill, often: 8 },
  TERM: { happen: terminate, often: 5 },
  'database restarted': { happen: restartDatabase, often: 6 },
  'network to the database cut': { happen: cutNetwork, often: 4 },
  'leader stopped for 30 s': { happen: stopLeader, often: 1 },
} as const satisfies Record<string, { happen: Happen; often: number }>

export type Kind = keyof typeof kinds

const everyKind = Object.keys(kinds) as Kind[]
const weighted = everyKind.flatMap((kind) => Array<Kind>(kinds[kind].often).fill(kind))

/** Each kind once, in any order, then by chance. */
export function planEvents(count: number, chance: Chance): Kind[] {
  const left = [...everyKind]
  return Array.from({ length: count }, () => {
    if (left.length === 0) return chance.pick(weighted)
    const [kind] = left.splice(chance.below(left.length), 1)
    return kind ?? chance.pick(weighted)
  })
}
