/** Carries out an upgrade or a rollback: both lead from one installed version to another, and back if that one does not start. */
import { rmSync } from 'node:fs'
import { removePartial } from './archive'
import { copyPath, type HalfPlace, hasDatabase, runOnHalf } from './halves'
import { addToHistory, removeCopies, removeOldReleases } from './history'
import { folderOf, type Installation, readCurrent, switchTo, UpgradeError } from './installation'
import { type Runner, waitReady } from './runner'
import { type Copies, removeState, type State, type Step, writeState } from './state'

export type Move = { installation: Installation; runner: Runner; state: State; say(line: string): void }

/** seconds: how long the portal was away; null if it did not run. returned: why the version of before runs again; null if the other one does */
export type Moved = { seconds: number | null; returned: string | null }

/** How long a version may take to be ready: it migrates its databases meanwhile. */
const readyMs = 120_000

/** Writes down the step that begins now. */
export function enter(move: Move, step: Step, changes: Partial<State> = {}): void {
  move.state = { ...move.state, ...changes, step }
  writeState(move.installation, move.state)
}

const placesOf = ({ runner: { portal, service } }: Move): HalfPlace[] => [portal, service].filter(hasDatabase)

/** Migrates copies with the version that is to come. Rejects with UpgradeError. */
export async function tryMigrations(move: Move): Promise<void> {
  const { installation, state, say } = move
  for (const place of placesOf(move)) {
    const applied = (await runOnHalf(installation, state.to, place, 'try')).split(' ').filter(Boolean)
    const how = place.onPostgresql ? 'tried in a transaction that was rolled back' : 'tried on a copy'
    say(`${place.half}: ${applied.length === 0 ? 'no migration' : `${applied.length} of its migrations work`} (${how}).`)
  }
}

/** From the stop to the start of the other version, and back if it does not come. Rejects if even that fails; the next start then undoes the rest. */
export async function changeOver(move: Move): Promise<Moved> {
  const { runner, installation, state, say } = move
  const stoppedAt = performance.now()
  const secondsAway = () => (state.running ? Math.round((performance.now() - stoppedAt) / 100) / 10 : null)
  enter(move, 'stopping')
  try {
    if (state.running) await runner.stop()
    await keepDatabases(move)
    if (Object.keys(state.restores).length > 0) await restore(move, 'restoring', state.restores)
    enter(move, 'switching')
    switchTo(installation, state.to)
    const trouble = state.running ? await startAndWait(move) : null
    if (trouble === null) return { seconds: secondsAway(), returned: null }
    throw new UpgradeError(trouble)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    say(`${state.to} does not start: ${why}`)
    say(`Going back to ${state.from} …`)
    await undo(move)
    if (state.running) await startFormer(move)
    return { seconds: secondsAway(), returned: why }
  }
}

/** Both halves at the same time, because the portal is away meanwhile. Rejects once both have ended, with the first error. */
async function onEach(places: readonly HalfPlace[], work: (place: HalfPlace) => Promise<unknown>): Promise<void> {
  const failed = (await Promise.allSettled(places.map(work))).find((ended) => ended.status === 'rejected')
  if (failed) throw failed.reason
}

/** Nobody writes to them any more, so going back loses nothing that was written before the stop. */
async function keepDatabases(move: Move): Promise<void> {
  const stamp = move.state.at.replace(/\D/g, '').slice(0, 14)
  const copies: Copies = {}
  for (const place of placesOf(move)) copies[place.half] = copyPath(place, `${move.state.kind}-${stamp}`)
  enter(move, 'copying', { copies })
  const version = readCurrent(move.installation)
  await onEach(placesOf(move), (place) => runOnHalf(move.installation, version, place, 'copy', copies[place.half]))
}

/** By the program of the version that runs at present: it knows the database that is replaced. */
async function restore(move: Move, step: Step, copies: Copies): Promise<void> {
  enter(move, step, { touched: true })
  await onEach([move.runner.portal, move.runner.service], async (place) => {
    const copy = copies[place.half]
    const note = copy === undefined ? '' : await runOnHalf(move.installation, move.state.from, place, 'restore', copy)
    if (note !== '') move.say(note.trim())
  })
}

async function startAndWait(move: Move): Promise<string | null> {
  const { runner, state } = move
  enter(move, 'starting', { touched: true })
  const since = new Date().toISOString()
  await runner.start()
  return waitReady(runner, state.to, since, readyMs)
}

/**
 * The version of before with its databases, except that it is not started. May be repeated after an interruption. What was touched is stopped first;
 * what was not continues. Resolves with whether it stopped anything.
 */
export async function undo(move: Move): Promise<boolean> {
  const { installation, runner } = move
  const { from, to, kind, touched, copies } = move.state
  enter(move, 'returning')
  const stops = (touched || readCurrent(installation) !== from) && (await runner.isRunning())
  if (stops) await runner.stop()
  if (touched) await restore(move, 'returning', copies)
  switchTo(installation, from)
  removeState(installation)
  removeCopies(copies)
  for (const { database } of [runner.portal, runner.service]) rmSync(`${database}.trying`, { recursive: true, force: true })
  removePartial(installation, to)
  if (kind === 'upgrade') rmSync(folderOf(installation, to), { recursive: true, force: true })
  return stops
}

/** Nothing is under way any more. Returns the versions that were removed because newer ones are kept. */
export function conclude({ installation, state }: Move): string[] {
  addToHistory(installation, state)
  removeState(installation)
  return removeOldReleases(installation)
}

async function startFormer({ runner, state }: Move): Promise<void> {
  const since = new Date().toISOString()
  await runner.start()
  const trouble = await waitReady(runner, state.from, since, readyMs)
  if (trouble !== null) throw new UpgradeError(`${state.from} is back with its databases, but it is not ready: ${trouble}`)
}
