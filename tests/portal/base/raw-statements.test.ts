/** Every raw statement of the portal runs on both engines, over rows that it finds. */
import { readdirSync } from 'node:fs'
import { parse } from 'node:path'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import * as acting from '@/lib/portal/base/sql/acting'
import { readStoredAuditRows } from '@/lib/portal/base/sql/audit-rows'
import { composeCopyQuery, readCopyRows } from '@/lib/portal/base/sql/copies'
import { among, dialect, quoted } from '@/lib/portal/base/sql/dialect'
import { upsertFinding } from '@/lib/portal/base/sql/findings'
import { readFullest, readFullSince } from '@/lib/portal/base/sql/full-disks'
import { writeNothing } from '@/lib/portal/base/sql/health'
import { insertJobLines } from '@/lib/portal/base/sql/job-lines'
import { deleteLabels, insertLabels, readLabelsNamed, readLabelsOn } from '@/lib/portal/base/sql/labels'
import { relateSites, serverStatements, siteStatements } from '@/lib/portal/base/sql/listing'
import { findListingConnections } from '@/lib/portal/base/sql/listing-connections'
import { findServerNames, findServersOfSites, findSiteNames } from '@/lib/portal/base/sql/names'
import { composeRunQuery, readRunRows } from '@/lib/portal/base/sql/runs'
import {
  deleteThinned,
  findServersSampledBefore,
  readMeasureLines,
  readReachLines,
  readSlotLines,
  upsertSamples,
} from '@/lib/portal/base/sql/samples'
import { findFirstAdded, readAddedAt, readServerLines } from '@/lib/portal/base/sql/server-list'
import { readSiteLines } from '@/lib/portal/base/sql/site-list'
import { openPortalDatabase } from '../../support/portal-database'
import { createTeam } from '../../support/portal-team'
import { postgresqlMissing } from '../../support/postgresql'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

/** A team with two servers and a site that one connection lists. */
async function openScene(teamId: string) {
  await db().connection.create({ data: connection(teamId) })
  const place = { teamId, origin: 'https://service.example' }
  const server = (id: string) => ({
    id,
    upstreamId: `up-${id}`,
    name: `${id}\0`,
    hostname: `${id}.example`,
    dns: '',
    provider: 'debian',
    state: 'ready',
    hostKey: '',
    address: '192.0.2.1',
  })
  const site = {
    domain: 'a.example',
    upstreamServerId: 'up-one',
    state: 'ready',
    ssl: '',
    expires: '',
    details: '{"usage":"1"}',
  }
  await db().$transaction([
    serverStatements.insert(place, ['one', 'two'].map(server), day(1)),
    siteStatements.insert(place, [{ ...site, id: 'site', upstreamId: 'up-site' }], day(1)),
    serverStatements.link(place, 'c', ['up-one', 'up-two'], day(1)),
    siteStatements.link(place, 'c', ['up-site'], day(1)),
    relateSites(place, ['up-site']),
  ])
  return { place, server, site }
}

const connection = (teamId: string) => ({
  id: 'c',
  teamId,
  label: 'Service',
  kind: 'foreign' as const,
  origin: 'https://service.example',
  basePath: '',
  sealedKey: new Uint8Array([1]),
  kekId: 'k',
  secretVersion: 1,
  fingerprint: 'f',
  state: 'working' as const,
})

const sample = (serverId: string, at: number, diskUsed: number | null, reachable = true) => ({
  serverId,
  at,
  reachable,
  diskUsed,
  diskTotal: 100.5,
  memUsed: null,
  memTotal: null,
  load: diskUsed === null ? null : 0.25,
  updates: diskUsed === null ? null : 4,
})

type Scene = Awaited<ReturnType<typeof openScene>>

/** By the statement's name: what it does in the scene, and what it then gives. */
const statements: Record<string, (scene: Scene) => Promise<void>> = {
  async listing({ place, server, site }) {
    expect(await serverStatements.insert(place, ['one'].map(server), day(2))).toBe(0)
    expect(await serverStatements.update([{ ...server('one'), name: 'Ö “1”' }], day(2))).toBe(1)
    expect(await serverStatements.noteListed(place, ['up-one', 'up-none'], day(3))).toBe(1)
    expect(await siteStatements.update([{ ...site, id: 'site' }], day(2))).toBe(1)
    await serverStatements.link(place, 'c', ['up-one'], day(3))
    expect(await serverStatements.findUnproven('c', day(2))).toEqual(['two'])
    expect(await serverStatements.findUnproven('none', day(2))).toEqual([])
    expect(await serverStatements.unlink('c', ['one', 'two'], day(2))).toBe(1)
    expect(await serverStatements.markUnlistedGone(['one', 'two'], day(4))).toBe(1)
    expect((await db().server.findMany({ orderBy: { id: 'asc' } })).map(({ name, goneAt }) => [name, goneAt])).toEqual([
      ['Ö “1”', null],
      ['two\uFFFD', day(4)],
    ])
    expect((await db().site.findUniqueOrThrow({ where: { id: 'site' } })).serverId).toBe('one')
  },
  async reading({ place: { teamId } }) {
    const page = { teamId, connections: [{ id: 'c', own: 1, able: 1 }], afterId: '', limit: 10 } as const
    expect((await readServerLines(page)).map(([id, , hostname, , , , , by]) => [id, hostname, by])).toEqual([
      ['one', 'one.example', 'c'],
      ['two', 'two.example', 'c'],
    ])
    expect(await readServerLines({ ...page, connections: [], afterId: 'one' })).toMatchObject([{ 0: 'two', 7: null }])
    expect(await readSiteLines(page)).toMatchObject([{ 0: 'site', 1: 'a.example', 6: '{"usage":"1"}', 7: 'one', 10: 'c' }])
    expect([await readServerLines({ ...page, afterId: 'two' }), await readSiteLines({ ...page, afterId: 'site' })]).toEqual([[], []])
    expect(await readAddedAt(['one', 'none'])).toEqual(new Map([['one', day(1).toISOString()]]))
    expect([await findFirstAdded(['two', 'one']), await findFirstAdded([])]).toEqual(['one', null])
    const wanted = { teamId, connectionIds: ['c'] }
    expect((await findServerNames({ ...wanted, ids: ['one', 'two', 'none'] })).map(({ id }) => id)).toEqual(['one', 'two'])
    expect(await findServerNames({ ...wanted, ids: ['one'], connectionIds: [] })).toEqual([])
    expect(await findSiteNames({ ...wanted, ids: ['site'] })).toEqual([{ id: 'site', name: 'a.example', serverId: 'one' }])
    expect(await findServersOfSites(['site'])).toEqual(new Map([['site', 'one']]))
    for (const [serverIds, siteIds, found] of [
      [['one'], [], ['c']],
      [[], ['site'], ['c']],
      [['none'], [], []],
    ] as const) {
      expect(await findListingConnections({ teamId, serverIds, siteIds })).toEqual(new Set(found))
    }
  },
  async samples({ place: { teamId } }) {
    const rows = [
      sample('one', 10, 90),
      sample('one', 10, null, false),
      sample('one', 70, 99.5),
      sample('two', 70, 1),
      sample('gone', 70, 1),
    ]
    await upsertSamples(rows)
    await upsertSamples([sample('two', 70, null)])
    expect(await readSlotLines('one', 60, 0)).toEqual([
      [0, 1, 0, 90, 100.5, null, null],
      [60, 1, 1, 99.5, 100.5, null, null],
    ])
    expect(await readSlotLines('none', 60, 0)).toEqual([])
    expect((await db().sample.findUniqueOrThrow({ where: { serverId_at: { serverId: 'two', at: 70 } } })).diskUsed).toBe(1)
    expect(await readMeasureLines(teamId, 0)).toEqual([
      ['one', 99.5 / 100.5, null, 4, 0.25],
      ['two', 1 / 100.5, null, 4, 0.25],
    ])
    expect((await readMeasureLines(teamId, 0, ['two', 'none'])).map(([id]) => id)).toEqual(['two'])
    expect([await readMeasureLines(teamId, 71), await readMeasureLines('another', 0)]).toEqual([[], []])
    expect(await readReachLines(['one', 'two', 'none'], 60, 10)).toEqual([
      ['one', 0, 1, 0],
      ['one', 60, 1, 1],
      ['two', 60, 1, 1],
    ])
    const fullest = await readFullest({ teamId, connectionIds: ['c'], since: 0, least: 0.9, limit: 5 })
    expect(fullest.map(({ id, share }) => [id, share])).toEqual([['one', 99.5 / 100.5]])
    expect([await readFullSince('one', 0.5), await readFullSince('one', 0.95), await readFullSince('two', 0.9)]).toEqual([10, 70, null])
    expect((await findServersSampledBefore(60)).sort()).toEqual(['one'])
    await upsertSamples([sample('one', 20, 1), sample('one', 30, 1)])
    expect(Number(await deleteThinned(['one'], { whole: 60, gone: 5, hour: 60 }))).toBe(2)
  },
  async labels({ place: { teamId } }) {
    const label = { teamId, subjectKind: 'server', subjectIds: ['one', 'two'], name: 'web' } as const
    expect([await insertLabels(label, 2), await insertLabels(label, 2), await insertLabels({ ...label, name: 'db' }, 1)]).toEqual([2, 0, 0])
    expect((await readLabelsNamed(teamId, ['web'])).sort()).toEqual([
      ['server', 'one', 'web'],
      ['server', 'two', 'web'],
    ])
    expect(await readLabelsNamed(teamId, [])).toEqual([])
    expect(await readLabelsOn(teamId, 'server')).toHaveLength(2)
    expect(await deleteLabels({ ...label, subjectIds: ['two', 'none'] })).toBe(1)
  },
  async findings() {
    const finding = { serverId: 'one', kind: 'reboot_required' as const, since: day(1), detail: 'first', seenAt: null, code: null }
    for (const detail of ['first', 'second']) await upsertFinding({ ...finding, detail })
    await upsertFinding({ ...finding, serverId: 'none' })
    await upsertFinding({ ...finding, detail: 'second', code: 'login_failed' })
    expect(await db().finding.findMany()).toMatchObject([
      { serverId: 'one', detail: 'second', since: day(1), seenAt: null, code: 'login_failed' },
    ])
  },
  async copies({ place: { teamId } }) {
    const sealed = { sealed: new Uint8Array([1]), kekId: 'k' }
    const address = { label: 'Copies', kind: 's3', address: '{}', secretVersion: 1, checkedAt: day(1) } as const
    await db().backupTarget.create({ data: { id: 'target', teamId, ...address, ...sealed } })
    const repository = { targetId: 'target', serverName: 'one', ...sealed }
    await db().backupRepository.createMany({
      data: ['near', 'far'].map((id) => ({ id, serverId: id, ...repository })),
    })
    const copy = { siteId: 'site', domain: 'a.example', repositoryId: 'near', state: 'done' } as const
    await db().backupCopy.createMany({
      data: [
        { ...copy, id: 'first', startedAt: day(1), bytes: 1, provenAt: day(6), badAt: day(2) },
        { ...copy, id: 'second', startedAt: day(2), bytes: 2_000_000_000_000 },
        { ...copy, id: 'failed', startedAt: day(3), state: 'failed', bytes: 0 },
        { ...copy, id: 'other', startedAt: day(4), siteId: 'other', bytes: 3 },
        { ...copy, id: 'away', startedAt: day(5), repositoryId: 'far', bytes: 4 },
      ],
    })
    const found = (await readCopyRows(['near', 'none'])).map(([siteId, repositoryId, state, startedAt, provenAt, badAt, bytes]) => {
      const times = [startedAt, provenAt, badAt].map((time) => time && new Date(time))
      return [siteId, repositoryId, state, ...times, bytes]
    })
    expect(found.sort(([, , , , , , one], [, , , , , , other]) => Number(one) - Number(other))).toEqual([
      ['site', 'near', 'failed', day(3), null, null, 0],
      ['other', 'near', 'done', day(4), null, null, 3],
      ['site', 'near', 'done', day(2), day(6), day(2), 2_000_000_000_000],
    ])
    expect(await readCopyRows([])).toEqual([])
  },
  async jobLines({ place: { teamId } }) {
    const job = { id: 'job', teamId, operation: 'servers.install', serverId: 'one', targetName: 'one', lease: '', heardAt: day(1) }
    await db().job.create({ data: { ...job, state: 'running' } })
    await db().$transaction((tx) =>
      insertJobLines(
        tx,
        'job',
        [
          [1, null, 'step', 50, 'running', 'a\0b \ud800'],
          [2, 7, '', null, 'done', '"\\'],
        ],
        day(2),
      ),
    )
    expect(await db().jobEvent.findMany({ orderBy: { seq: 'asc' } })).toMatchObject([
      { seq: 1, upstreamId: null, step: 'step', progress: 50, status: 'running', at: day(2) },
      { seq: 2, upstreamId: 7, step: '', progress: null, status: 'done', message: '"\\' },
    ])
  },
  async audit({ place: { teamId } }) {
    const row = {
      at: day(1),
      teamId,
      actorKind: 'user',
      actorId: 'u',
      action: 'servers.delete',
      objectKind: 'server',
      objectId: 'one',
      prev: '',
      mac: '',
      macKeyId: '',
    } as const
    await db().auditRow.createMany({
      data: [
        { ...row, seq: 1, requestId: 'r', stage: 'intent', outcome: 'asked', detail: '{"name":"50%_Web"}' },
        { ...row, seq: 2, requestId: 'r', stage: 'outcome', outcome: 'failed', detail: '{"code":"cancelled"}' },
        { ...row, seq: 3, requestId: 's', stage: 'event', outcome: 'done', detail: 'no JSON', teamId: null },
      ],
    })
    expect((await readStoredAuditRows(1, 1)).map(({ seq, stage, at }) => [Number(seq), stage, new Date(at)])).toEqual([
      [2, 'outcome', day(1)],
    ])
    const all = {
      teamId,
      teamless: true,
      person: null,
      actions: null,
      target: '',
      objectId: null,
      connectionId: null,
      outcome: null,
      ceiling: Number.MAX_SAFE_INTEGER,
      floor: 0,
      limit: 9,
    }
    const read = async (filter: object) =>
      (await readRunRows(composeRunQuery({ ...all, ...filter }))).map(({ seq, result }) => [Number(seq), result])
    expect(await read({})).toEqual([
      [3, 'done'],
      [1, 'cancelled'],
    ])
    expect(await read({ teamless: false })).toEqual([[1, 'cancelled']])
    expect(await read({ person: 'u', target: '50%_web', outcome: 'cancelled', actions: { ids: ['x'], prefixes: ['servers.'] } })).toEqual([
      [1, 'cancelled'],
    ])
    expect([await read({ target: '5_%' }), await read({ target: 'ONE' })]).toEqual([
      [],
      [
        [3, 'done'],
        [1, 'cancelled'],
      ],
    ])
    const { objectId } = row
    expect([await read({ objectId, teamless: false }), await read({ objectId: 'another' })]).toEqual([[[1, 'cancelled']], []])
    expect(await read({ actions: { ids: [], prefixes: [] }, person: 'nobody' }).catch(() => [])).toEqual([])
  },
  async health() {
    await writeNothing()
  },
}

/** Which of them uses what a file exports. */
const covered: Record<string, readonly unknown[]> = {
  acting: [acting.actingConnection],
  'audit-rows': [readStoredAuditRows],
  copies: [composeCopyQuery, readCopyRows],
  dialect: [among, dialect, quoted],
  findings: [upsertFinding],
  'full-disks': [readFullest, readFullSince],
  health: [writeNothing],
  'job-lines': [insertJobLines],
  labels: [deleteLabels, insertLabels, readLabelsNamed, readLabelsOn],
  'listing-connections': [findListingConnections],
  listing: [relateSites, serverStatements, siteStatements],
  names: [findServerNames, findServersOfSites, findSiteNames],
  runs: [composeRunQuery, readRunRows],
  samples: [deleteThinned, findServersSampledBefore, readMeasureLines, readReachLines, readSlotLines, upsertSamples],
  'server-list': [findFirstAdded, readAddedAt, readServerLines],
  'site-list': [readSiteLines],
}

test('every raw statement is in the list', async () => {
  const names = readdirSync('lib/portal/base/sql').map((file) => parse(file).name)
  const exported = await Promise.all(
    names.map(async (name) => [name, new Set(Object.values(await import(`../../../lib/portal/base/sql/${name}.ts`)))] as const),
  )
  expect(new Map(exported)).toEqual(new Map(Object.entries(covered).map(([name, values]) => [name, new Set(values)])))
})

test.each(Object.keys(statements))('statements on SQLite: %s', (name) => runAll(name, 'sqlite'))

test.skipIf(postgresqlMissing).each(Object.keys(statements))('statements on PostgreSQL: %s', (name) => runAll(name, 'postgresql'))

async function runAll(name: string, engine: 'sqlite' | 'postgresql'): Promise<void> {
  await using _ = await openPortalDatabase({ engine, ring: false })
  const { id } = await createTeam()
  await statements[name]?.(await openScene(id))
}
