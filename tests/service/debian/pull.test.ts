/** Parts of a pull, by this machine's own bash. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

let job: string
beforeEach(() => {
  job = mkdtempSync(join(tmpdir(), 'gatehouse-pull-'))
})
afterEach(() => rmSync(job, { recursive: true, force: true }))

/** As a step of the job. */
const step = (name: string) =>
  execFileSync('bash', ['-s', job], { input: `${readScript('sites/jobs/pull.bash')}\n(set -Eeuo pipefail; ${name})`, encoding: 'utf8' })

test('how live calls itself is noted where something was rewritten; a database without tables has nothing to rewrite', () => {
  step('keep_origin')
  expect(readdirSync(job)).toEqual([])
  writeFileSync(join(job, 'rewritten'), 'rows\t2\norigin\thttps://example.org\norigin\thttp://example.org\n')
  step('keep_origin')
  expect(readFileSync(join(job, 'origin'), 'utf8')).toBe('https://example.org\n')
})
