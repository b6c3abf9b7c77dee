/** What is kept to take changes back: sealed, moved with the keys, and forgotten in time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { retireKeys, rotateTo, verifyRing } from '@/lib/portal/custody/rotation'
import { prune } from '@/lib/portal/entry/retention/prune'
import { startJob } from '@/lib/portal/jobs/start'
import { removeJob } from '@/lib/portal/subjects/cron/remove'
import { saveJob } from '@/lib/portal/subjects/cron/save'
import { runOperation } from '@/lib/portal/subjects/spine'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { openInverse } from '@/lib/portal/subjects/undoable/kept'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import { type Bench, job, openBench } from '../undo/changes'

const undo = ({ actor }: Bench, id: string) => undoChange(actor, id, createOpaqueId(), startJob)

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)

/** All that stands on the disk for the portal's database. */
function readDatabase(): string {
  const { portalDatabase } = getSettings()
  return ['', '-wal'].map((suffix) => readIfThere(`${portalDatabase}${suffix}`)).join('')
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

test('security 4: the text of a job is in no file of the database, neither in an undo nor in the audit log', async () => {
  await using bench = await openBench()
  const { actor, serverId, server } = bench
  const at = () => ({ serverId, requestId: createOpaqueId() })
  const kept = at()
  expect(await saveJob(actor, kept, job('dump --password=typed-in-plain'))).toMatchObject({ ok: true })
  const saved = server.cronjobs.at(-1)
  expect(await removeJob(actor, at(), job('dump --password=typed-in-plain', saved?.line))).toMatchObject({ ok: true })
  expect(await undo(bench, kept.requestId)).toMatchObject({ ok: false })
  expect(await db().undo.count({ where: { sealed: { not: null } } })).toBe(2)
  const file = readDatabase()
  expect(file).toContain(kept.requestId)
  expect(file).not.toContain('typed-in-plain')
})

test('security 5: an undo stored for one server, team or kind of change cannot be decrypted for another', async () => {
  await using bench = await openBench()
  const id = await bench.change.deleteJob()
  const row = await db().undo.findUniqueOrThrow({ where: { id } })
  expect(await openInverse(row)).toMatchObject({ kind: 'cron.putBack', job: { command: 'second' } })
  const moved = [
    { id: createOpaqueId() },
    { teamId: createOpaqueId() },
    { subjectId: createOpaqueId() },
    { subjectKind: 'site' as const },
    { kind: 'cron.takeOut' },
  ]
  for (const change of moved) expect(await openInverse({ ...row, ...change })).toBeNull()

  await db().undo.update({ where: { id }, data: { kind: 'cron.takeOut' } })
  const sentence = expect.stringMatching(/cannot be decrypted\. Make the opposite change yourself\.$/)
  expect(await undo(bench, id)).toMatchObject({ ok: false, problem: { sentence } })
  expect(bench.commands()).toEqual(['first'])
})

test('security 7: a rotation moves undos, undecryptable ones are reported, and used ones contain nothing', async () => {
  await using bench = await openBench()
  const [used, open] = [await bench.change.saveRule(), await bench.change.deleteJob()]
  expect(await undo(bench, used)).toMatchObject({ ok: true })
  const before = await verifyRing()
  const next = createKek(createKeyFile(join(getSettings().keysDir, 'portal', 'kek.next.key'))).id
  expect(await rotateTo(next)).toMatchObject({ opened: before.opened, old: 0, broken: [] })
  expect(await db().undo.findUnique({ where: { id: open } })).toMatchObject({ kekId: next })
  await retireKeys()
  expect(await undo(bench, open)).toMatchObject({ ok: true })
  expect(await verifyRing()).toMatchObject({ opened: before.opened - 1, old: 0, broken: [] })

  const spoilt = await bench.change.switch()
  await db().undo.update({ where: { id: spoilt }, data: { sealed: Buffer.alloc(120) } })
  expect((await verifyRing()).broken).toMatchObject([{ table: 'Undo', id: spoilt }])
})

test('a change is made even if its undo cannot be stored', async () => {
  await using bench = await openBench()
  await bench.change.switch()
  await db().keyEncryptionKey.updateMany({ data: { wraps: 1_000_000 } })
  const at = { serverId: bench.serverId, requestId: createOpaqueId() }
  expect(await removeJob(bench.actor, at, job('second', '2'))).toEqual({ ok: true, data: { undo: null } })
  expect(bench.commands()).toEqual(['first'])
})

test('an undo is deleted after 30 days, and with its server; who used one stays', async () => {
  await using bench = await openBench()
  const { actor, serverId, change } = bench
  const [used, old, young] = [await change.saveRule(), await change.deleteJob(), await change.switch()]
  await undo(bench, used)
  await db().undo.updateMany({ where: { id: { in: [used, old] } }, data: { createdAt: daysAgo(31) } })
  await db().undo.update({ where: { id: young }, data: { createdAt: daysAgo(29) } })
  expect(await prune({ kind: 'operator' })).toEqual({ lines: 0, jobs: 0, undos: 1 })
  const left = async () => (await db().undo.findMany()).map(({ id }) => id).sort()
  expect(await left()).toEqual([used, young].sort())
  expect(await undo(bench, old)).toMatchObject({ ok: false, problem: { code: 'not_found' } })

  const gone = await runOperation(actor, contract.servers.delete, { serverId }, {}, { confirmName: 'alpha', stepUp: async () => null })
  expect(gone).toMatchObject({ ok: true })
  expect(await left()).toEqual([used])
})
