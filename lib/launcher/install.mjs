/** Installs the dependencies by the lockfile when what is installed is not what the lockfile says. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const stamp = 'node_modules/.gatehouse-lock'

/** Resolves with true when it installed. Throws with npm's own words when that fails. */
export function installDependencies() {
  const hash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false
  const run = spawnSync('npm', ['ci', '--ignore-scripts'], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`npm ci failed:\n${run.stdout}${run.stderr}`)
  writeFileSync(stamp, hash)
  return true
}
