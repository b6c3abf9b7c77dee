/** The file beside the portal's database that says which release was up last: an interrupted upgrade is finished or undone by it. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const shape = z.object({ version: z.string(), at: z.iso.datetime() })

const fileOf = (portalDatabase: string): string => join(dirname(portalDatabase), 'last-start.json')

/** Called once the portal responds. */
export function noteStart(portalDatabase: string, version: string): void {
  const file = fileOf(portalDatabase)
  writeFileSync(`${file}.new`, JSON.stringify({ version, at: new Date().toISOString() }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Null if no release was ever up, or the file cannot be read. at: ISO 8601 */
export function readLastStart(portalDatabase: string): z.infer<typeof shape> | null {
  try {
    return shape.parse(JSON.parse(readFileSync(fileOf(portalDatabase), 'utf8')))
  } catch {
    return null
  }
}
