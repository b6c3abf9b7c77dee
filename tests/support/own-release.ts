/** The release of this project, made once a run because packing it takes most of a minute. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runFolder } from './database-templates'

/** Whoever comes while it is being made waits for it. */
const makeOnce = '[ -e "$1/made" ] || { "$2" lib/release/release.mjs --to "$1" && touch "$1/made"; }'

/**
 * Puts it into the folder, as hard links: the archive, and the release's own folder beside it, without the suffixes. Returns the path of the archive.
 * Making it needs npm's registry, for the Node inside.
 */
export function takeRelease(to: string): string {
  const made = join(runFolder() ?? to, 'release')
  const steps: [string, ...string[]][] = [
    ['mkdir', '-p', made, to],
    ['flock', join(made, 'lock'), 'sh', '-c', makeOnce, 'sh', made, process.execPath],
    ['sh', '-c', 'cp -al "$1"/gatehouse-* "$2"', 'sh', made, to],
  ]
  for (const [program, ...args] of steps) {
    const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8' })
    if (status !== 0) throw new Error(`The release was not made (${program}, ${status}): ${stderr}`)
  }
  return join(to, readdirSync(to).find((name) => name.endsWith('.tar.gz')) ?? '')
}
