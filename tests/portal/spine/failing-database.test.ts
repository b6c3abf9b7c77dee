/** The disk fails at each statement of a change in turn: the answer is `done` only if intent and outcome are on the disk. */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import type { Outcome } from '@/lib/contract/problem'
import { closeDatabase, db, openDatabase } from '@/lib/portal/base/db'
import { settleAsideWrites } from '@/lib/portal/base/write-aside'
import { renameConnection } from '@/lib/portal/subjects/connections/rename'
import { removeJob } from '@/lib/portal/subjects/cron/remove'
import { runOperation } from '@/lib/portal/subjects/spine'
import { getSettings } from '@/lib/settings/settings'
import { testEngine } from '@/tests/support/engine'
import { type DiskFault, type FaultyDatabase, openFaultyDatabase } from '@/tests/support/faulty-database'
import { type FaultyPostgresql, openFaultyPostgresql } from '@/tests/support/faulty-postgresql'
import { inputOf } from '@/tests/support/own-input'
import { askPostgresql } from '@/tests/support/postgresql'
import { runSql } from '@/tests/support/sqlite-file'
import { type Desk, openDesk } from './desk'

type Ready = { desk: Desk; connectionId: string; number: number; requestId: string }

const operation = (code: Outcome<unknown>) => (code.ok ? 'done' : code.problem.code)

/** Changes of each kind: an operation, one that can be undone, and one of the portal's own. */
const changes: Record<string, (ready: Ready) => Promise<Outcome<unknown>>> = {
  'a hostname': ({ desk: { actor, serverId }, number, requestId }) =>
    runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: `web-${number}.example.net` }, { requestId }),
  'a deleted job': ({ desk, requestId }) => {
    const job = { line: '1', user: 'root', minute: '0', hour: '4', dom: '*', mon: '*', dow: '*', command: 'backup' }
    const server = desk.upstream.model.servers.get(desk.upstreamId)
    if (server) server.cronjobs = [job]
    return removeJob(desk.actor, { serverId: desk.serverId, requestId }, job)
  },
  'a renamed connection': ({ desk: { actor }, connectionId, number, requestId }) =>
    renameConnection(inputOf(actor, { connectionId, label: `Service ${number}` }, { requestId })),
}

/** The faults of both engines. */
type Fault = Exclude<DiskFault, 'BUSY'>
type FaultyDisk = FaultyDatabase | FaultyPostgresql

async function openFaultyDesk(): Promise<{ desk: Desk; disk: FaultyDisk; connectionId: string } & AsyncDisposable> {
  const desk = await openDesk('owner', { extensions: true })
  const { id: connectionId } = await db().connection.findFirstOrThrow()
  await closeDatabase()
  const { portalPostgresql, portalDatabase } = getSettings()
  const disk = portalPostgresql ? openFaultyPostgresql(portalPostgresql) : openFaultyDatabase(portalDatabase)
  openDatabase(disk.database)
  return { desk, disk, connectionId, [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose]() }
}

/** Read by another connection. */
async function rowsOf(requestId: string): Promise<string[]> {
  const { portalPostgresql, portalDatabase } = getSettings()
  const sql = `SELECT "stage", "outcome" FROM "AuditRow" WHERE "requestId" = '${requestId}' ORDER BY "seq"`
  const rows = portalPostgresql ? await askPostgresql(portalPostgresql, sql) : runSql(portalDatabase, sql)
  return rows.map(({ stage, outcome }) => `${stage} ${outcome}`)
}

/** What was told is what the disk says. */
async function expectTrue(told: string, requestId: string): Promise<void> {
  const rows = await rowsOf(requestId)
  if (told === 'done') expect(rows).toEqual(['intent asked', 'outcome done'])
  else expect(rows.filter((row) => row.startsWith('outcome done'))).toEqual([])
  if (rows.length === 0) expect(told).not.toBe('outcome_unknown')
}

describe.each(Object.keys(changes))('%s', (name) => {
  const change = changes[name] as (typeof changes)[string]

  /** Runs the change with each statement failing in turn; gives what was told each time. */
  async function failEach(fail: (disk: FaultyDisk, statement: number) => void): Promise<string[]> {
    await using made = await openFaultyDesk()
    const { desk, disk, connectionId } = made
    const attempt = (number: number, requestId: string) => change({ desk, connectionId, number, requestId }).then(operation, () => 'threw')
    // The first run also makes what later ones find in place.
    for (const number of [1, 2]) expect(await attempt(number, `whole-${number}-${'x'.repeat(12)}`)).toBe('done')
    await settleAsideWrites()
    disk.heal()
    expect(await attempt(3, `whole-3-${'x'.repeat(12)}`)).toBe('done')
    const statements = disk.count()
    expect(statements).toBeGreaterThan(3)
    const told: string[] = []
    for (let statement = 1; statement <= statements; statement += 1) {
      const requestId = `failing-${statement}-${'x'.repeat(12)}`
      fail(disk, statement)
      const answer = await attempt(statement + 10, requestId)
      disk.heal()
      await settleAsideWrites()
      await expectTrue(answer, requestId)
      told.push(answer)
    }
    expect(await attempt(1000, `healed-${'x'.repeat(12)}`)).toBe('done')
    await expectTrue('done', `healed-${'x'.repeat(12)}`)
    return told
  }

  test.each(['IOERR', 'FULL', 'CORRUPT'] as const)('security 50: %s from the n-th statement on, and at it alone', async (fault: Fault) => {
    const lasting = await failEach((disk, statement) => disk.failAt(statement, fault))
    // Only what comes after the outcome's row may fail unsaid.
    expect(lasting[0]).not.toBe('done')
    await failEach((disk, statement) => disk.failAt(statement, fault, { once: true }))
  })

  // PostgreSQL itself waits for locks: locked-database.test.ts.
  test.skipIf(testEngine === 'postgresql')('security 50: BUSY at the n-th statement and for a while after it is retried', async () => {
    const told = await failEach((disk, statement) => {
      ;(disk as FaultyDatabase).failAt(statement, 'BUSY')
      void delay(100).then(() => disk.heal())
    })
    expect(new Set(told)).toEqual(new Set(['done']))
  })
})
