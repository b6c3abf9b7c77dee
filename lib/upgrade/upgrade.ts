/** Upgrades an installed release to that of an archive. */
import { existsSync } from 'node:fs'
import { requireAlone } from './alone'
import { checkArchive, unpack } from './archive'
import { folderOf, type Installation, readCurrent, UpgradeError } from './installation'
import { changeOver, conclude, enter, type Move, type Moved, tryMigrations, undo } from './move'
import { checkRoom, listNeeds } from './room'
import { becomesReady, type Runner } from './runner'
import { listCopies, type State } from './state'

export type Means = { installation: Installation; runner: Runner; say(line: string): void }

/** As JSON it is what `--json` prints. */
export type Report = {
  outcome: 'upgraded' | 'rolled-back' | 'returned'
  from: string
  to: string
  /** How long the portal was away; null if it did not run. */
  secondsAway: number | null
  /** Why the version of before runs again; null if the other one does. */
  reason: string | null
  /** Versions that were removed, because newer ones are kept. */
  removed: string[]
  /** For people. */
  message: string
}

export function beginMove({ installation, runner, say }: Means, state: Pick<State, 'kind' | 'to' | 'restores' | 'running'>): Move {
  const at = new Date().toISOString()
  const from = readCurrent(installation)
  return { installation, runner, say, state: { format: 1, ...state, from, at, step: 'unpacking', copies: {}, touched: false } }
}

/** Rejects with UpgradeError if nothing was changed. */
export async function upgrade(means: Means, file: string, signed?: { signature: string; key: string }): Promise<Report> {
  const { installation, runner, say } = means
  const archive = await checkArchive(file, signed)
  say(`${file} is Gatehouse ${archive.version}${signed ? ', and its signature is valid' : ''}.`)
  if (archive.version === readCurrent(installation)) throw new UpgradeError(`Gatehouse ${archive.version} is already installed.`)
  say(
    checkRoom(
      listNeeds(
        installation.releases,
        archive.unpackedBytes,
        [runner.portal, runner.service].filter(({ onPostgresql }) => !onPostgresql).map(({ database }) => database),
      ),
    ),
  )
  const running = await runner.isRunning()
  if (running && !(await becomesReady(runner.portal))) {
    throw new UpgradeError('Gatehouse runs but is not ready, so it could not be told whether the new version is. Mend or stop it first.')
  }
  await requireAlone(runner.portal.settings.portalPostgresql, running)
  const move = beginMove(means, { kind: 'upgrade', to: archive.version, restores: {}, running })
  try {
    enter(move, 'unpacking')
    await unpack(installation, archive)
    say(`Unpacked into ${folderOf(installation, archive.version)}; each file is as its manifest says.`)
    enter(move, 'trying')
    await tryMigrations(move)
  } catch (error) {
    await undo(move)
    throw error
  }
  return describe(move, await changeOver(move))
}

export function describe(move: Move, { seconds, returned }: Moved): Report {
  const { kind, from, to, copies } = move.state
  const away = seconds === null ? 'It was not running; start it.' : `The portal was away for ${seconds} s.`
  if (returned !== null) {
    const message = `Gatehouse ${from} runs as before, with its databases. ${away}`
    return { outcome: 'returned', from, to, secondsAway: seconds, reason: returned, removed: [], message }
  }
  const removed = conclude(move)
  const kept = listCopies(copies).filter((copy) => existsSync(copy))
  const message = [
    `${kind === 'upgrade' ? 'Upgraded' : 'Rolled back'} from ${from} to ${to}. ${away}`,
    ...kept.map((copy) => `The database of before is kept as ${copy}`),
    ...removed.map((version) => `Removed the old release ${version}`),
  ].join('\n')
  return { outcome: kind === 'upgrade' ? 'upgraded' : 'rolled-back', from, to, secondsAway: seconds, reason: null, removed, message }
}
