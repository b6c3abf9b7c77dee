/** Where systemd runs Gatehouse, it runs the move too, as a unit: a closed terminal does not end it, and whatever kills it, the recovery follows. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const prefix = 'gatehouse-upgrade-'

/** Whether this process belongs to such a unit. */
export const isInOwnUnit = (): boolean => new RegExp(`/${prefix}\\d+\\.service$`, 'm').test(readFileSync('/proc/self/cgroup', 'utf8'))

/** release: the folder of the release that moves. words: the command and its arguments. calledFrom: the folder that relative paths among them are meant from */
type Moving = { release: string; words: readonly string[]; calledFrom: string; env: NodeJS.ProcessEnv }

/** systemd parses the property like a line of a unit file. */
const quote = (word: string): string => `"${word.replace(/["\\]/g, '\\$&')}"`

/** systemd would replace variables in the command by their values. */
const escapeVariables = (word: string): string => word.replaceAll('$', '$$$$')

/** What systemd-run is called with. */
export function describeUnit({ release, words, calledFrom, env }: Moving, id: number): string[] {
  const program = join(release, 'gatehouse')
  const node = env.GATEHOUSE_NODE
  return [
    ...['--quiet', '--collect', '--pipe', '--wait', `--unit=${prefix}${id}`, `--working-directory=${calledFrom}`],
    // What the move has started ends with it, before the recovery begins.
    '--property=KillMode=mixed',
    '--property=TimeoutStopSec=5min',
    `--property=ExecStopPost=${quote(program)} upgrade --recover --start`,
    ...(node === undefined ? [] : [`--setenv=GATEHOUSE_NODE=${node}`]),
    ...['--', program, ...words.map(escapeVariables)],
  ]
}

/** Resolves with the exit code of the command. It writes where this process does. */
export function runInOwnUnit(moving: Moving): Promise<number> {
  // In another session, so that Ctrl-C does not reach it.
  const child = spawn('systemd-run', describeUnit(moving, process.pid), { stdio: 'inherit', detached: true })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // systemd-run ends with 255 if a signal ended the command.
    child.once('close', (code) => resolve(code === null || code === 255 ? 1 : code))
  })
}
