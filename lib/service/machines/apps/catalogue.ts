/** Reads the catalogue of apps: one file per entry, with its steps and directives beside it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CatalogueEntry, entrySchema } from './entry'

/** An entry of the operator is invalid; the message is one line. */
export class CatalogueError extends Error {}

const builtIn = fileURLToPath(new URL('catalogue', import.meta.url))

/** folder: the operator's own entries; empty for none. Throws CatalogueError. */
export function readCatalogue(folder = ''): readonly CatalogueEntry[] {
  const entries = [builtIn, ...(folder === '' ? [] : [folder])].flatMap(readEntries)
  const names = entries.map(({ app }) => app)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new CatalogueError(`APPS_FOLDER is invalid: the app ${twice} is in the catalogue already.`)
  return entries
}

function readEntries(folder: string): CatalogueEntry[] {
  return filesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readEntry(folder, name))
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    throw new CatalogueError(`APPS_FOLDER is invalid: ${folder} cannot be read.`)
  }
}

function readEntry(folder: string, file: string): CatalogueEntry {
  const parsed = entrySchema.safeParse(parseJson(folder, file))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new CatalogueError(`APPS_FOLDER is invalid: ${join(folder, file)}: ${issue?.path.join('.') || 'it'}: ${issue?.message}.`)
  }
  const name = file.slice(0, -'.json'.length)
  if (parsed.data.app !== name) throw new CatalogueError(`APPS_FOLDER is invalid: ${join(folder, file)}: app has to be ${name}.`)
  const steps = readBeside(folder, `${name}.php`)
  if (steps === null) throw new CatalogueError(`APPS_FOLDER is invalid: ${join(folder, `${name}.php`)} is missing.`)
  return { ...parsed.data, steps, directives: readBeside(folder, `${name}.conf`) ?? '' }
}

function parseJson(folder: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'))
  } catch {
    throw new CatalogueError(`APPS_FOLDER is invalid: ${join(folder, file)} is not JSON.`)
  }
}

/** Null if there is no such file. */
function readBeside(folder: string, file: string): string | null {
  try {
    return readFileSync(join(folder, file), 'utf8').replaceAll('\0', '')
  } catch {
    return null
  }
}
