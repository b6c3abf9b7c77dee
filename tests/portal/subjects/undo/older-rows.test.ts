/** Rows that an older version kept: sealed under the same names, bound to a server, without members that came since. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { sealUnderRing } from '@/lib/portal/custody/ring'
import { startJob } from '@/lib/portal/jobs/start'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { type Bench, job, openBench, rule } from './changes'

const jobOf = (command: string) => {
  const { line: _, ...fields } = job(command)
  return fields
}

const ruleOf = (port: string) => {
  const { id: _, ...words } = rule(port)
  return words
}

/** What the older version sealed for each kind, on a server as openBench makes it, and what holds once it is undone. */
const kinds: readonly [kind: string, payload: object, holds: (bench: Bench) => unknown, expected: unknown][] = [
  ['cron.putBack', { job: jobOf('third') }, ({ commands }) => commands(), ['first', 'second', 'third']],
  ['cron.takeOut', { job: jobOf('second') }, ({ commands }) => commands(), ['first']],
  ['cron.swap', { old: jobOf('before'), next: jobOf('second') }, ({ commands }) => commands(), ['first', 'before']],
  ['firewall.putBack', { rules: [ruleOf('80')], before: ['22', '443', '80'].map(ruleOf) }, ({ ports }) => ports(), ['22', '443', '80']],
  [
    'firewall.takeOut',
    { words: { action: 'allow', protocol: 'tcp', port: '443', from: 'any' }, before: [] },
    ({ ports }) => ports(),
    ['22'],
  ],
  ['firewall.switch', { on: false }, ({ server }) => server.firewall, false],
]

test.each(kinds)('%s', async (kind, payload, holds, expected) => {
  await using bench = await openBench()
  const { actor, team, serverId } = bench
  const id = createOpaqueId()
  const bound = ['gatehouse', '1', 'Undo', 'sealed', id, team.id, serverId, kind]
  const sealed = await sealUnderRing(Buffer.from(JSON.stringify({ kind, ...payload })), bound)
  await db().undo.create({ data: { id, teamId: team.id, subjectKind: 'server', subjectId: serverId, kind, ...sealed } })
  expect(await undoChange(actor, id, createOpaqueId(), startJob)).toMatchObject({ ok: true })
  expect(holds(bench)).toEqual(expected)
  expect(await db().undo.findUnique({ where: { id } })).toMatchObject({ usedById: actor.user.id, sealed: null })
})

test('a kind unknown to this version is neither offered nor undone, and is kept', async () => {
  await using bench = await openBench()
  const id = await bench.change.deleteJob()
  await db().undo.update({ where: { id }, data: { kind: 'mail.putBack' } })
  expect(await undoChange(bench.actor, id, createOpaqueId(), startJob)).toMatchObject({
    ok: false,
    problem: { code: 'changed_meanwhile', sentence: expect.stringMatching(/Make the opposite change yourself\.$/) },
  })
  expect(await db().undo.findUnique({ where: { id } })).toMatchObject({ usedAt: null, claimedAt: null })
})
