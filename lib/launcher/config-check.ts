/** `gatehouse config check [--json]`: names each unknown, missing and invalid setting with its line, and starts nothing. Exit code 1 if there are any, 78 if the file cannot be used. */
import { WrongUse } from '@/lib/commands.mjs'
import { configurationError, wrongUse } from '@/lib/exit-codes.mjs'
import { parseKey } from '@/lib/sealing/key-text'
import { describeMisspelt } from '@/lib/settings/misspelt'
import { parseSettings, type Settings, SettingsError, settingNames } from '@/lib/settings/settings'
import { requireDistinctPorts } from './checks'
import { type Assignment, parseEnvironmentFile } from './environment-file.mjs'
import { isMain } from './is-main.mjs'
import { requireSecretFiles } from './secret-files'
import { readSettingsFile, SettingsFileError, settingsVariable } from './settings-file.mjs'

/** line: null if the setting is in no line of the file. message: never contains the value of a secret. */
export type Problem = { line: number | null; message: string }

/** What a file may set for Node, its libraries and the C library: no settings, but used. */
const ofOthers = /^(NODE_\w+|LC_\w+|LANG|LANGUAGE|TZ|TMPDIR|SSL_CERT_(FILE|DIR)|((HTTPS?|NO|ALL)_PROXY))$/i

/** All problems of a file and an environment; those with a line first, in their order. text: null without a file. */
export function findProblems(text: string | null, environment: Record<string, string | undefined>, cwd: string): Problem[] {
  const { assignments, faults } = text === null ? { assignments: [], faults: [] } : parseEnvironmentFile(text)
  const fromFile = new Map(assignments.filter(({ name }) => environment[name] === undefined).map((each) => [each.name, each]))
  const env = { ...environment, ...Object.fromEntries([...fromFile.values()].map(({ name, value }) => [name, value])) }
  const sentences = [...describeMisspelt(environment, settingNames), ...findInvalid(env, cwd)]
  const problems = [
    ...faults,
    ...assignments.flatMap(describeUnknown),
    ...sentences.map((message) => ({ line: findLine(message, fromFile), message })),
  ]
  return problems.sort((one, other) => (one.line ?? Number.MAX_SAFE_INTEGER) - (other.line ?? Number.MAX_SAFE_INTEGER))
}

function describeUnknown({ name, line }: Assignment): Problem[] {
  if (settingNames.includes(name) || ofOthers.test(name)) return []
  const [sentence = `${name} is not a setting and has no effect. docs/running.md lists the settings.`] = describeMisspelt(
    { [name]: '' },
    settingNames,
  )
  return [{ line, message: sentence }]
}

/** The line of the first setting that a sentence names and the file gives. */
function findLine(sentence: string, fromFile: ReadonlyMap<string, Assignment>): number | null {
  const named = (sentence.match(/\b[A-Z][A-Z_]+\b/g) ?? []).find((name) => fromFile.has(name))
  return named === undefined ? null : (fromFile.get(named)?.line ?? null)
}

function findInvalid(env: Record<string, string | undefined>, cwd: string): string[] {
  try {
    const settings = parseSettings(env, cwd)
    return [requireDistinctPorts, requireSecretFiles, requireKey].flatMap((require) => messageOf(() => require(settings)))
  } catch (error) {
    if (error instanceof SettingsError) return [...error.all]
    throw error
  }
}

function requireKey({ kekFromEnvironment }: Settings): void {
  if (kekFromEnvironment !== null) parseKey(kekFromEnvironment, 'GATEHOUSE_KEK').fill(0)
}

function messageOf(require: () => void): string[] {
  try {
    require()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function check(args: readonly string[]): void {
  const [what, ...options] = args
  if (what !== 'check' || options.some((option) => option !== '--json')) throw new WrongUse('config')
  const file = process.env[settingsVariable] || null
  const { code, problems } = readAndCheck(file)
  process.exitCode = code
  if (options.length > 0) {
    process.stdout.write(`${JSON.stringify({ ok: problems.length === 0, file, problems })}\n`)
    return
  }
  // Without its settings there is nothing to report on standard output.
  const stream = code === configurationError ? process.stderr : process.stdout
  for (const { line, message } of problems) stream.write(`${line === null ? '' : `${file}, line ${line}: `}${message}\n`)
  if (problems.length === 0) stream.write('The settings are valid.\n')
}

function readAndCheck(file: string | null): { code: number; problems: Problem[] } {
  try {
    const problems = findProblems(file === null ? null : readSettingsFile(file), process.env, process.cwd())
    return { code: problems.length > 0 ? 1 : 0, problems }
  } catch (error) {
    if (!(error instanceof SettingsFileError)) throw error
    return { code: configurationError, problems: [{ line: null, message: error.message }] }
  }
}

if (isMain(import.meta.url)) {
  try {
    check(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = error instanceof WrongUse ? wrongUse : 1
  }
}
