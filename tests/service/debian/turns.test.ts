/** Which jobs of sites wait for which, by this machine's own bash. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-turns-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What bash prints after the script, in folders of this test. */
function bash(program: string): string {
  const script = readScript('sites/turns.bash').replaceAll(/\/(var\/lib|run)\/gatehouse\b/g, folder)
  return execFileSync('bash', ['-c', `${script}\nname=shop\n${program}`, 'bash', folder], { encoding: 'utf8' })
}

/** Whether a job of another site waits for one, or the other for it. */
const waits = (one: string, other: string): boolean[] =>
  bash(
    `for each in '${one} ${other}' '${other} ${one}'; do read -r kind first <<<"$each"; needs_same "$first" blog && echo yes || echo no; done`,
  )
    .trim()
    .split('\n')
    .map((said) => said === 'yes')

test('jobs of one site wait for each other; of several, those that archive, those that change, and copies', () => {
  expect(bash('kind=copy; needs_same backup shop && echo waits')).toBe('waits\n')
  for (const [one, other] of [
    ['backup', 'download'],
    ['restore', 'delete'],
    ['copy', 'copy'],
    ['copy', 'prove'],
    ['prove', 'prove'],
  ] as const) {
    expect([one, other, ...waits(one, other)]).toEqual([one, other, true, true])
  }
  for (const [one, other] of [
    ['backup', 'restore'],
    ['copy', 'restore'],
    ['copy', 'backup'],
    ['copy', 'download'],
    ['prove', 'restore'],
    ['prove', 'backup'],
  ] as const) {
    expect([one, other, ...waits(one, other)]).toEqual([one, other, false, false])
  }
})

test('while a copy is sent, the nightly backup gets the lock of archives', () => {
  const held = (kind: string) =>
    bash(`kind=${kind}; open_locks && take_locks; exec 9>"$archives_lock"; flock -n 9 && echo free || echo held`)
  expect([held('backup'), held('copy')]).toEqual(['held\n', 'free\n'])
})
