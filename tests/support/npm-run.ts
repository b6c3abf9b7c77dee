/** A command of package.json on the folders of a place, as its operator runs it. */
import { spawnSync } from 'node:child_process'
import type { Place } from './gatehouse-process'

/** said: both streams. */
export function npmRun(place: Place, command: string, ...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', command, '--', ...args], {
    env: { ...process.env, ...place.env },
    encoding: 'utf8',
  })
  return { status, said: `${stdout}${stderr}` }
}
