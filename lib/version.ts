/** The version of the running Gatehouse, for the log. */
import { readFileSync } from 'node:fs'

export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))
  return version
}
