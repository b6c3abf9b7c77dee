/** Reads the bash scripts of this folder, which are stored next to the code that runs them and do not change while the service runs. */
import { readFileSync } from 'node:fs'

/** The text of bash files, in order, as one script. `beside` is the caller's import.meta.url. */
export function readScript(beside: string, ...names: string[]): string {
  return names.map((name) => readFileSync(new URL(name, beside), 'utf8')).join('\n')
}
