/** What git says about the working copy. */
import { spawnSync } from 'node:child_process'

/** What a command of git prints; an empty text where there is no git, no history, or nothing of what was asked. @param {...string} args */
export function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 })
  return status === 0 ? stdout.trim() : ''
}
