/** A deletion whose answer was cut is settled by a look at the list: not by one that leaves rows out. */
import { expect, test } from 'vitest'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { startJob } from '@/lib/portal/jobs/start'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { openBench } from './changes'

const kinds = [
  ['saveRule', 'rules', 'id', 'deletefirewallrule'],
  ['saveJob', 'cronjobs', 'line', 'deletecronjob'],
] as const

test.each(kinds)('%s: a row that cannot be read may be the one to delete', async (kind, list, name, deletion) => {
  await using bench = await openBench()
  const { actor, server, upstream, upstreamId, change } = bench
  const id = await change[kind]()
  const path = `/servers/${upstreamId}/${deletion}`
  upstream.set('reset-before', { path, times: 1 })
  const [last, known] = [server[list].at(-1) ?? {}, server[list].at(-1)?.[name]]
  const asked = () => upstream.callsTo('POST', path).length > 0
  Object.defineProperty(last, name, { enumerable: true, configurable: true, get: () => (asked() ? '' : known) })
  expect(await undoChange(actor, id, createOpaqueId(), startJob)).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(server[list]).toContain(last)
})
