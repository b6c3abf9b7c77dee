/** Finds each unknown, missing and invalid setting of a file and an environment, with its line. */
import { parseKey } from '@/lib/sealing/key-text'
import { describeMisspelt } from '@/lib/settings/misspelt'
import { parseSettings, type Settings, SettingsError, settingNames } from '@/lib/settings/settings'
import { findBackupFaults } from './backup-check'
import { requireDistinctPorts } from './checks'
import { checkDatabases, type DatabaseFindings } from './database-check'
import { type Assignment, parseEnvironmentFile } from './environment-file.mjs'
import { requireSecretFiles } from './secret-files'

/** line: null if the setting is in no line of the file. message: never contains the value of a secret. */
export type Problem = { line: number | null; message: string }

/** What a file may set for Node, its libraries and the C library: no settings, but used. */
const ofOthers = /^(NODE_\w+|LC_\w+|LANG|LANGUAGE|TZ|TMPDIR|SSL_CERT_(FILE|DIR)|((HTTPS?|NO|ALL)_PROXY))$/i

type Environment = Record<string, string | undefined>

export type Checked = {
  /** Those with a line first, in their order. */
  problems: Problem[]
  /** What could be safer, a sentence each. */
  notes: string[]
}

/** Checks a file and an environment. text: null without a file. */
export async function checkConfig(text: string | null, environment: Environment, cwd: string): Promise<Checked> {
  const { assignments, faults } = text === null ? { assignments: [], faults: [] } : parseEnvironmentFile(text)
  const fromFile = new Map(assignments.filter(({ name }) => environment[name] === undefined).map((each) => [each.name, each]))
  const env = { ...environment, ...Object.fromEntries([...fromFile.values()].map(({ name, value }) => [name, value])) }
  const { faults: invalid, notes } = await findInvalid(env, cwd)
  const sentences = [...describeMisspelt(environment, settingNames), ...invalid]
  const problems = [
    ...faults,
    ...assignments.flatMap(describeUnknown),
    ...findRepeated(assignments),
    ...sentences.map((message) => ({ line: findLine(message, fromFile), message })),
  ]
  problems.sort((one, other) => (one.line ?? Number.MAX_SAFE_INTEGER) - (other.line ?? Number.MAX_SAFE_INTEGER))
  return { problems, notes }
}

function findRepeated(assignments: readonly Assignment[]): Problem[] {
  const last = new Map(assignments.map(({ name, line }) => [name, line]))
  return assignments
    .filter(({ name, line }) => last.get(name) !== line)
    .map(({ name, line }) => ({ line, message: `${name} is set again in line ${last.get(name)}, which counts: remove one of them.` }))
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

async function findInvalid(env: Environment, cwd: string): Promise<DatabaseFindings> {
  try {
    const settings = parseSettings(env, cwd)
    const sentences = [requireDistinctPorts, requireSecretFiles, requireKey].flatMap((require) => messageOf(() => require(settings)))
    const { faults, notes } = await checkDatabases(settings)
    return { faults: [...sentences, ...(await findBackupFaults(settings)), ...faults], notes }
  } catch (error) {
    if (error instanceof SettingsError) return { faults: [...error.all], notes: [] }
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
