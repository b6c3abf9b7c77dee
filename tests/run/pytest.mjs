/** The tests of the host program, which is Python: by Debian's pytest, without a host. */
import { spawnSync } from 'node:child_process'

/** @typedef {import('./tally.mjs').Tally} Tally */

/** Debian's own, of the same version of Python as servers of that Debian have. */
const program = '/usr/bin/pytest-3'

/** @returns {Tally} */
export function runPytest() {
  const { stdout, status } = spawnSync(program, ['-q', '-p', 'no:cacheprovider', '-rfE', '--color=no', 'tests/host-program'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  process.stdout.write(stdout ?? '')
  return readPytest(stdout ?? '', status)
}

/**
 * Reads what pytest prints at its end. An end that its tests do not account for counts as a failure.
 * @param {string} printed @param {number | null} code
 * @returns {Tally}
 */
export function readPytest(printed, code) {
  const lines = printed.trimEnd().split('\n')
  const last = lines.at(-1) ?? ''
  const count = (/** @type {string} */ word) => Number(new RegExp(`(\\d+) ${word}`).exec(last)?.[1] ?? 0)
  const failed = count('failed') + count('errors?')
  return {
    passed: count('passed'),
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: count('skipped'),
    failures: lines.flatMap((line) => /^(?:FAILED|ERROR) (.*)$/.exec(line)?.[1]?.slice(0, 300) ?? []),
  }
}
