/** ROOT/upgrade.json: which step of an upgrade or a rollback comes next. Written before the step, so that an interrupted one can be finished or undone. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Installation, setUndo, UpgradeError } from './installation'
import { syncFolder, writeSafely } from './write-safely'

/** One path for each half that has a database. */
const copies = z.object({ portal: z.string().optional(), service: z.string().optional() })
export type Copies = z.infer<typeof copies>

export const listCopies = ({ portal, service }: Copies): string[] => [portal, service].filter((copy) => copy !== undefined)

/** In order; an upgrade has no `restoring`. `returning` is where each of them leads if the other version does not start. */
export const steps = ['unpacking', 'trying', 'stopping', 'copying', 'restoring', 'switching', 'starting', 'returning'] as const
export type Step = (typeof steps)[number]

const shape = z.object({
  format: z.literal(1),
  kind: z.enum(['upgrade', 'rollback']),
  /** Versions. */
  from: z.string(),
  to: z.string(),
  step: z.enum(steps),
  /** When it began, ISO 8601. */
  at: z.iso.datetime(),
  /** Whether Gatehouse ran then, so that it has to run afterwards. */
  running: z.boolean(),
  /** The databases as they were when Gatehouse had stopped. */
  copies,
  /** For a rollback: the databases to put in place. */
  restores: copies,
  /** Whether the databases may differ from `copies`. */
  touched: z.boolean(),
})
export type State = z.infer<typeof shape>

const fileOf = ({ root }: Installation): string => join(root, 'upgrade.json')

/** Null if nothing is under way. Throws UpgradeError if the file cannot be read. */
export function readState(installation: Installation): State | null {
  const file = fileOf(installation)
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw new UpgradeError(`${file} cannot be read, so it is unknown how far an interrupted upgrade came.`, { cause })
  }
}

/** The older of the two versions can undo it: it is known to start. */
export function writeState(installation: Installation, state: State): void {
  writeSafely(fileOf(installation), `${JSON.stringify(state, null, 2)}\n`)
  setUndo(installation, state.kind === 'upgrade' ? state.from : state.to)
}

/** Nothing is under way any more. */
export function removeState(installation: Installation): void {
  rmSync(fileOf(installation), { force: true })
  rmSync(installation.undo, { force: true })
  syncFolder(installation.root)
}

/**
 * What becomes of an interrupted move. It is finished if the other version was ready: users may have worked with it since, and undoing would
 * lose that.
 */
export const decide = ({ step, running }: State, wasReady: boolean): 'finish' | 'undo' =>
  step === 'starting' && running && wasReady ? 'finish' : 'undo'
