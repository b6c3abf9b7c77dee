/** `gatehouse upgrade` and `gatehouse rollback` of an installed release. */
import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { ClaimError } from '@/lib/database/claim'
import { SettingsError } from '@/lib/settings/settings'
import { claimInstallation } from './claim'
import { placeOf } from './halves'
import { findInstallation, type Installation, UpgradeError } from './installation'
import { isInOwnUnit, runInOwnUnit } from './own-unit'
import { recoverAtStart, settle } from './recover'
import { describeRollback, type Prospect, rollBack } from './roll-back'
import type { Runner } from './runner'
import { createStartRunner } from './runner-at-start'
import { createSystemdRunner, placeOfUnit } from './runner-systemd'
import { createUpRunner } from './runner-up'
import { readState } from './state'
import { hasUnits } from './systemctl'
import { type Report, upgrade } from './upgrade'

/** release: the folder of the release whose command this is. env: with the settings. calledFrom: what relative paths of the arguments are meant from */
export type Called = { release: string; env: NodeJS.ProcessEnv; calledFrom: string; args: readonly string[] }

const options = {
  signature: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  recover: { type: 'boolean', default: false },
  start: { type: 'boolean', default: false },
} as const

function readArguments(name: 'upgrade' | 'rollback', args: readonly string[]) {
  try {
    return parseArgs({ options, args: [...args], allowPositionals: true })
  } catch {
    throw new WrongUse(name)
  }
}

async function createRunner(installation: Installation, env: NodeJS.ProcessEnv): Promise<Runner> {
  if (await hasUnits(installation)) return createSystemdRunner(installation)
  return createUpRunner(placeOf(installation, 'portal', env), placeOf(installation, 'service', env))
}

async function createRunnerAtStart(installation: Installation, env: NodeJS.ProcessEnv): Promise<Runner> {
  const units = await hasUnits(installation)
  const place = async (half: 'portal' | 'service') => (units ? placeOfUnit(installation, half) : placeOf(installation, half, env))
  return createStartRunner(await place('portal'), await place('service'), units)
}

function requireOwner({ root }: Installation): void {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    throw new UpgradeError(`This user may not write ${root}: run the command as its owner.`)
  }
}

/** Signals do not end a move halfway, and neither does a reader of its output that goes, such as a terminal that is closed. */
function outlast(say: (line: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => say('This continues to its end, so that one version runs.'))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/** Moves to another version. Null if a unit did it, which has printed the report. */
async function move<T>(
  name: 'upgrade' | 'rollback',
  installation: Installation,
  called: Called,
  say: (line: string) => void,
  work: (runner: Runner) => Promise<T>,
): Promise<T | null> {
  requireOwner(installation)
  outlast(say)
  if (isInOwnUnit() || !(await hasUnits(installation))) return alone(installation, called, say, work)
  process.exitCode = await runInOwnUnit({ ...called, words: [name, ...called.args] })
  return null
}

/** Runs the work alone, after whatever was interrupted before. */
async function alone<T>(
  installation: Installation,
  { env }: Called,
  say: (line: string) => void,
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  const release = claimInstallation(installation)
  const runner = await createRunner(installation, env)
  try {
    const settled = await settle(installation, runner, say)
    if (settled !== null) say(settled)
    return await work(runner)
  } finally {
    runner.close()
    release()
  }
}

/** After a move that was killed. Units whose stop is still under way count as running, and are started all the same. */
async function recoverAndStart(installation: Installation, called: Called, say: (line: string) => void): Promise<null> {
  requireOwner(installation)
  outlast(say)
  const wasRunning = readState(installation)?.running ?? false
  return alone(installation, called, say, async (runner) => {
    if (wasRunning) await runner.start()
    return null
  })
}

/** What it does is printed; the exit code is 1 if the version of before runs again. */
export const runUpgrade = (called: Called): Promise<void> =>
  reporting('upgrade', called, async (installation, { values, positionals }, say) => {
    const [file, ...rest] = positionals
    if (values.yes || rest.length > 0) throw new WrongUse('upgrade')
    if (values.recover) {
      if (file !== undefined) throw new WrongUse('upgrade')
      if (values.start) return recoverAndStart(installation, called, say)
      return recoverAtStart(installation, () => createRunnerAtStart(installation, called.env), say)
    }
    if (file === undefined || values.start || (values.signature === undefined) !== (values.key === undefined)) throw new WrongUse('upgrade')
    const at = (path: string) => resolve(called.calledFrom, path)
    const { signature, key } = values
    const signed = signature !== undefined && key !== undefined ? { signature: at(signature), key: at(key) } : undefined
    return move('upgrade', installation, called, say, (runner) => upgrade({ installation, runner, say }, at(file), signed))
  })

/** Without `--yes` it only says what would be lost. */
export const runRollback = (called: Called): Promise<void> =>
  reporting('rollback', called, async (installation, { values, positionals }, say) => {
    if (values.signature || values.key || values.recover || values.start || positionals.length > 0) throw new WrongUse('rollback')
    if (values.yes) return move('rollback', installation, called, say, (runner) => rollBack({ installation, runner, say }))
    const runner = await createRunner(installation, called.env)
    try {
      const prospect = await describeRollback(installation, runner)
      return { ...prospect, message: `${prospect.message}\nAdd --yes to go back.` }
    } finally {
      runner.close()
    }
  })

type Work = (
  installation: Installation,
  parsed: ReturnType<typeof readArguments>,
  say: (line: string) => void,
) => Promise<Report | Prospect | string | null>

async function reporting(name: 'upgrade' | 'rollback', { release, args }: Called, work: Work): Promise<void> {
  const asJson = args.includes('--json')
  // A script reads standard output as one JSON value.
  const say = (line: string) => void (asJson ? process.stderr : process.stdout).write(`${line}\n`)
  try {
    const parsed = readArguments(name, args)
    const report = await work(findInstallation(release), parsed, say)
    if (report === null) return
    if (typeof report === 'string') return void process.stdout.write(`${report}\n`)
    process.stdout.write(asJson ? `${JSON.stringify(report)}\n` : `${report.message}\n`)
    if (report.outcome === 'returned') process.exitCode = 1
  } catch (error) {
    const known = [UpgradeError, WrongUse, ClaimError, SettingsError].some((kind) => error instanceof kind)
    process.stderr.write(`${known && error instanceof Error ? error.message : `The ${name} failed: ${String(error)}`}\n`)
    process.exitCode = findExitCode(error)
  }
}
