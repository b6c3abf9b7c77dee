/** How nightly backups become events: by this machine's bash, from a pretended journal, in the order in which journald has put its lines. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const run = promisify(execFile)
const begin = '7d4958e842da4a758f6c1cdc7b36dcc5'
const ended = '39f53479d3a045ac8e11786248231fbf'
const failed = 'be02cf6855d2428ba40df7e9d022f03d'
/** An hour ago: events that are younger than a few seconds are not told yet. */
const start = Math.floor(Date.now() / 1000) - 3600

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-events-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Entry = readonly [seconds: number, fields: Readonly<Record<string, string>>]

const systemd = (seconds: number, id: string, of: string, result = 'done'): Entry => [
  seconds,
  { MESSAGE_ID: id, INVOCATION_ID: of, JOB_RESULT: result, MESSAGE: 'systemd says so.' },
]
/** of: none where the program was over when journald looked. */
const said = (seconds: number, message: string, of?: string): Entry => [
  seconds,
  { MESSAGE: message, ...(of === undefined ? {} : { _SYSTEMD_INVOCATION_ID: of }) },
]
const siteBackup = (domain: string) => `{"code":"backup-made","name":"${domain}-20261128-010000-nightly.tar.zst"}`

/** Of each event its id, its seconds since the start, its outcome and its sentence. */
async function eventsOf(...entries: Entry[]): Promise<string[]> {
  const journal = entries.map(([seconds, fields]) =>
    Object.entries({ __REALTIME_TIMESTAMP: `${start + seconds}000000`, ...fields })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  writeFileSync(join(folder, 'journal'), journal.join('\n'))
  writeFileSync(join(folder, 'journalctl'), `#!/bin/bash\ncat ${folder}/journal\n`)
  chmodSync(join(folder, 'journalctl'), 0o755)
  writeFileSync(join(folder, 'script'), `set -euo pipefail\n${readScript('facts/events.bash')}\nevents_until=60\nprint_backups\n`)
  const { stdout } = await run('bash', [join(folder, 'script')], { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, at, id, outcome, , ...sentence] = line.split(' ')
      return [id, Number(at) - start, outcome, ...sentence].join(' ')
    })
}

test('a run is one event, with its sites, at its end', async () => {
  const events = await eventsOf(
    systemd(0, begin, 'a'),
    said(5, siteBackup('one.test'), 'a'),
    said(6, siteBackup('two.test'), 'a'),
    systemd(7, ended, 'a'),
  )
  expect(events).toEqual(['backup-a 7 done The server and 2 sites were backed up.'])
})

test('lines without a run that come before an end belong to the run that ends', async () => {
  const events = await eventsOf(systemd(0, begin, 'a'), said(5, siteBackup('one.test')), systemd(7, ended, 'a'))
  expect(events).toEqual(['backup-a 7 done The server and 1 site were backed up.'])
})

test('lines without a run that come after an end belong to the run that ended, not to the next one', async () => {
  const events = await eventsOf(
    systemd(0, begin, 'a'),
    said(5, siteBackup('one.test'), 'a'),
    systemd(7, ended, 'a'),
    said(8, siteBackup('two.test')),
    systemd(1000, begin, 'b'),
    said(1001, siteBackup('one.test'), 'b'),
    systemd(1002, ended, 'b'),
  )
  expect(events).toEqual([
    'backup-a 7 done The server and 2 sites were backed up.',
    'backup-b 1002 done The server and 1 site were backed up.',
  ])
})

test('why a run failed is found also after its end', async () => {
  const lack = '{"code":"sites-not-backed-up","names":"two.test"}'
  const events = await eventsOf(
    systemd(0, begin, 'a'),
    systemd(7, failed, 'a', 'failed'),
    said(7, siteBackup('one.test')),
    said(7, lack),
    systemd(1000, begin, 'b'),
    said(1001, siteBackup('one.test'), 'b'),
    systemd(1002, ended, 'b'),
  )
  expect(events).toEqual([`backup-a 7 failed ${lack}`, 'backup-b 1002 done The server and 1 site were backed up.'])
})

test('a sentence of an earlier version after the end of its run changes neither when that ended nor the next run', async () => {
  const events = await eventsOf(
    systemd(0, begin, 'a'),
    systemd(7, failed, 'a', 'failed'),
    said(9, 'failed: No room.'),
    systemd(1000, begin, 'b'),
    systemd(1002, failed, 'b', 'failed'),
  )
  expect(events).toEqual(['backup-a 7 failed No room.', 'backup-b 1002 failed The journal of gatehouse-backup.service may say why.'])
})

test.each([
  ['once the next run has begun', [systemd(8, begin, 'b'), said(9, siteBackup('two.test'))]],
  ['once the next run has said something', [said(8, '{"code":"left-out"}', 'b'), said(9, siteBackup('two.test'))]],
  ['many seconds after the end', [said(60, siteBackup('two.test')), systemd(61, begin, 'b')]],
])('%s, a line without a run belongs to the next one', async (_when, entries) => {
  const events = await eventsOf(systemd(0, begin, 'a'), systemd(7, ended, 'a'), ...entries, systemd(70, ended, 'b'))
  expect(events).toEqual([
    'backup-a 7 done The server and 0 sites were backed up.',
    'backup-b 70 done The server and 1 site were backed up.',
  ])
})
