/** This process among the portals of its database: it says that it is alive, listens to the others, and leads if no other does. */
import 'server-only'
import type { Postgresql } from '@/lib/database/postgresql'
import { PostgresqlSession } from '@/lib/database/postgresql-kept-session'
import { log } from '@/lib/log'
import { getSettings } from '@/lib/settings/settings'
import { processState } from '../process-state'
import { succeedFormer } from './former'
import { channel, noteOthers, sendHint, takeHint } from './hints'
import { fenceOf, Leadership, sessionName, type Term } from './leadership'
import { processLease } from './lease'
import { beat, beatMs, leave, listAlive } from './members'
import { sharedDatabase, within } from './shared'

type Joined = { leadership: Leadership; session: PostgresqlSession; timers: NodeJS.Timeout[] }

type State = { joined?: Joined | undefined; alive: Set<string>; beating: Promise<void>; hasLeft: boolean }

const state = processState('portals', (): State => ({ alive: new Set(), beating: Promise.resolve(), hasLeft: false }))

const pursueMs = 1_000

/** From then on it says every 5 s that it is alive, whatever else it does. Does nothing on SQLite. */
export async function joinPortals(): Promise<void> {
  const { portalListen, portalPostgresql, portalIdFile } = getSettings()
  const [address, shared] = [portalListen ?? portalPostgresql, sharedDatabase()]
  if (!shared || !address || state().joined) return
  state().hasLeft = false
  // Without it, the former one's jobs wait until it counts as dead.
  await succeedFormer(shared, portalIdFile, processLease()).catch((err: unknown) => log.warn({ err }, 'the portal before is not known'))
  await beatOnce()
  const leadership = new Leadership(processLease())
  const pursue = createPursuit(leadership)
  const session = new PostgresqlSession(address, {
    name: sessionName(processLease()),
    channel,
    opened: pursue,
    notified: takeHint,
    closed: () => leadership.end(),
    failed: (err) => log.error({ err }, 'the connection for the regular work of portals does not open; it is tried again'),
  })
  const timers = [
    setInterval(() => pursue(session), pursueMs).unref(),
    // A beat that fails is logged by the rounds of taking over.
    setInterval(() => void beatOnce().catch(() => {}), beatMs).unref(),
  ]
  state().joined = { leadership, session, timers }
}

/** A lost session opens again. */
function createPursuit(leadership: Leadership): (session: PostgresqlSession) => void {
  let epoch = 0
  const tell = () => {
    const term = leadership.current()
    if (!term || term.epoch === epoch) return
    epoch = term.epoch
    log.info({ epoch }, 'this portal leads: it does the regular work of all')
  }
  return (session) => void leadership.pursue(session).then(tell, () => {})
}

/** Says that this portal is alive, and looks who else is. Rejects if the database cannot be reached. */
export function beatOnce(): Promise<void> {
  const shared = sharedDatabase()
  if (!shared || state().hasLeft) return Promise.resolve()
  const beating = beatOn(shared)
  state().beating = beating.catch(() => {})
  return beating
}

async function beatOn(shared: Postgresql): Promise<void> {
  await beat(shared, processLease())
  const alive = new Set(await listAlive(shared))
  state().alive = alive
  noteOthers(alive.size > 1)
}

/** The portals whose jobs nobody takes over: those that are alive, and this one. */
export const listHolders = (): string[] => [...new Set([...state().alive, processLease()])]

/** For the end of the process: the others take over at once. */
export async function leavePortals(): Promise<void> {
  const { joined } = state()
  const shared = sharedDatabase()
  if (!joined || !shared) return
  state().joined = undefined
  for (const timer of joined.timers) clearInterval(timer)
  // Afterwards nobody says any more that this portal is alive.
  state().hasLeft = true
  await state().beating
  joined.leadership.end()
  await leave(shared, processLease())
  await sendHint('left', '')
  await joined.session.close()
}

const always: Term['lost'] = new AbortController().signal

/**
 * Runs `work` if this portal leads, else does nothing. Once it leads no longer, `lost` aborts, and each transaction of the work is refused: of
 * two portals that both believe to lead, one writes. On SQLite the one portal always leads.
 */
export async function asLeader(work: (lost: AbortSignal) => Promise<void>): Promise<void> {
  const shared = sharedDatabase()
  if (!shared) return work(always)
  const term = state().joined?.leadership.current()
  if (term) await within(shared, fenceOf(term), () => work(term.lost))
}
