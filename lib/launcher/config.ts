/** `gatehouse config check [--json]`: names each unknown, missing and invalid setting with its line, and starts nothing. Exit code 1 if there are any, 78 if the file cannot be used. */
import { WrongUse } from '@/lib/commands.mjs'
import { configurationError, wrongUse } from '@/lib/exit-codes.mjs'
import { type Checked, checkConfig } from './config-check'
import { readSettingsFile, SettingsFileError, settingsVariable } from './settings-file.mjs'

async function check(args: readonly string[]): Promise<void> {
  const [what, ...options] = args
  if (what !== 'check' || options.some((option) => option !== '--json')) throw new WrongUse('config')
  const file = process.env[settingsVariable] || null
  const { code, problems, notes } = await readAndCheck(file)
  process.exitCode = code
  if (options.length > 0) {
    process.stdout.write(`${JSON.stringify({ ok: problems.length === 0, file, problems, notes })}\n`)
    return
  }
  // Without its settings there is nothing to report on standard output.
  const stream = code === configurationError ? process.stderr : process.stdout
  for (const { line, message } of problems) stream.write(`${line === null ? '' : `${file}, line ${line}: `}${message}\n`)
  for (const note of notes) stream.write(`${note}\n`)
  if (problems.length === 0) stream.write('The settings are valid.\n')
}

async function readAndCheck(file: string | null): Promise<Checked & { code: number }> {
  try {
    const checked = await checkConfig(file === null ? null : readSettingsFile(file), process.env, process.cwd())
    return { code: checked.problems.length > 0 ? 1 : 0, ...checked }
  } catch (error) {
    if (!(error instanceof SettingsFileError)) throw error
    return { code: configurationError, problems: [{ line: null, message: error.message }], notes: [] }
  }
}

try {
  await check(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof WrongUse ? wrongUse : 1
}
