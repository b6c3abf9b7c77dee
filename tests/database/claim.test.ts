/** One process has a database, as long as it lives and in whatever process namespace. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimDatabase, findClaimant } from '@/lib/database/claim'
import { holdClaim } from '../support/claim-holder'

function folder(): Disposable & { file: string; dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-database-'))
  return {
    dir: join(dir, 'portal'),
    file: join(dir, 'portal', 'portal.db'),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}

test('a claim file of an earlier version counts while its process runs, and not once it is dead', () => {
  using place = folder()
  mkdirSync(place.dir)
  const started = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[19]
  writeFileSync(`${place.file}.running`, JSON.stringify({ pid: process.pid, started }))
  expect(() => claimDatabase(place.file)).toThrow(/is already running on/)
  writeFileSync(`${place.file}.running`, JSON.stringify({ pid: process.pid, started: 'another time' }))
  expect(findClaimant(place.file)).toBeNull()
  claimDatabase(place.file)()
})

test('one process claims a database until it exits or releases it, and may claim it repeatedly', () => {
  using place = folder()
  expect(findClaimant(place.file)).toBeNull()
  const release = claimDatabase(place.file)
  expect(findClaimant(place.file)).toBe(process.pid)
  claimDatabase(place.file)()
  expect(findClaimant(place.file)).toBe(process.pid)
  release()
  expect(findClaimant(place.file)).toBeNull()
})

// A process namespace takes root.
const namespaces =
  process.getuid?.() === 0 ? [{ where: 'in another process namespace', wrapper: ['unshare', '--pid', '--fork', '--kill-child'] }] : []

test.each([{ where: 'beside', wrapper: [] }, ...namespaces])(
  'a claim by a process $where is seen, and ends with it',
  async ({ wrapper }) => {
    using place = folder()
    mkdirSync(place.dir)
    {
      await using _ = await holdClaim(place.file, wrapper)
      // In a process namespace its number is another there than here, and may be that of somebody else here.
      expect(findClaimant(place.file)).toEqual(expect.any(Number))
      expect(() => claimDatabase(place.file)).toThrow(/^Process \d+ is already running on .*Stop it first\.$/)
    }
    await expect.poll(() => findClaimant(place.file)).toBeNull()
    claimDatabase(place.file)()
  },
)

const rounds = 24

/** Claims one database after the other, each at the moment agreed on, tells which ones it got, and keeps them. */
const claimant = `
  import { claimDatabase } from './lib/database/claim.ts'
  process.setMaxListeners(0)
  const got = []
  process.once('message', ({ begins, dir }) => {
    for (let round = 0; round < ${rounds}; round++) {
      while (Date.now() < begins + round * 250);
      try { claimDatabase(dir + '/' + round); got.push(round) } catch (error) { if (error.constructor.name !== 'ClaimError') throw error }
    }
    process.send(got)
  })
  setInterval(() => {}, 1000)
  process.send('ready')`

test('if two processes claim a database at the same moment, one gets it', async () => {
  using place = folder()
  mkdirSync(place.dir, { recursive: true })
  const args = ['--import', 'tsx', '--input-type=module', '-e', claimant]
  const children = [1, 2].map(() => spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
  try {
    await Promise.all(children.map((child) => once(child, 'message')))
    const answers = Promise.all(children.map((child) => once(child, 'message')))
    for (const child of children) child.send({ begins: Date.now() + 100, dir: place.dir })
    const got = (await answers).flatMap(([given]) => given as number[])
    expect(got.sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, round) => round))
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
})
