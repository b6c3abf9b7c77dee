/** What every provider must do when the work on a site is cancelled, over HTTP. */
import { expect } from 'vitest'
import { post, type Target } from '../support/caller'
import { createSite, deleteSite, listSites, streamBackup, streamCreation, streamDeletion, type WorkStream } from '../support/slow-work'
import type { QueueTarget } from './queue'
import { newSite, siteOf } from './sites'

const cancel = (target: Target, id: string) => post(target, `/sites/${id}/cancel`, {})
const over = { status: 409, body: { code: 'changed_meanwhile' } }

function expectCancelled({ events }: WorkStream, sentence: RegExp): void {
  const error = expect.stringMatching(sentence)
  expect(events.at(-1)).toMatchObject({ status: 'failed', error, result: { success: false, code: 'cancelled', error } })
}

export async function proveCancel(target: QueueTarget, stranger: Target): Promise<void> {
  const [one, two, three] = ['large.cancel.example.org', 'two.cancel.example.org', 'three.cancel.example.org'] as const
  for (const domain of [one, two]) expect(await createSite(target, newSite(target, domain))).toMatchObject({ status: 200 })
  const [first, second] = [(await siteOf(target, one)).id, (await siteOf(target, two)).id]
  expect(await cancel(target, first)).toMatchObject(over)
  expect(await cancel(target, 'no-such-site')).toMatchObject({ status: 404, body: { code: 'not_found' } })

  // One that runs and one that waits for it. The first is cancelled last.
  const release = await target.holdNext('Backup')
  const begun = await streamBackup(target, first, { until: 2 })
  const waiting = await streamBackup(target, second, { until: 1 })
  expect(await cancel(stranger, first)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await cancel(target, second)).toMatchObject({ status: 200, body: { success: true } })
  expectCancelled(
    await streamBackup(target, second, { lastEventId: waiting.events[0]?.id ?? 0 }),
    /before it began\. Nothing was changed\.$/,
  )
  expect(await cancel(target, second)).toMatchObject(over)
  const next = await streamBackup(target, second, { until: 1 })
  expect(next.events[0]?.message).toBe(`Waits for the backup of ${one}.`)
  expect(await cancel(target, first)).toMatchObject({ status: 200, body: { success: true } })
  await release()
  expectCancelled(await streamBackup(target, first, { lastEventId: begun.events[0]?.id ?? 0 }), /taken back\.$/)
  // What has waited for it begins.
  const done = await streamBackup(target, second, { lastEventId: next.events[0]?.id ?? 0 })
  expect(done.events.at(-1)).toMatchObject({ status: 'done', result: { success: true } })

  // A creation that is cancelled leaves nothing; what is being deleted stays as it is.
  const create = await target.holdNext('Database')
  const creation = await streamCreation(target, newSite(target, three), { until: 2 })
  expect(await cancel(target, (await siteOf(target, three)).id)).toMatchObject({ status: 200 })
  await create()
  expectCancelled(await streamCreation(target, newSite(target, three), { lastEventId: creation.events[0]?.id ?? 0 }), /taken back\.$/)
  expect((await listSites(target)).map(({ domain }) => domain).sort()).toEqual([one, two])
  const remove = await target.holdNext('Last backup')
  const deletion = await streamDeletion(target, first, { until: 1 })
  expect(await cancel(target, first)).toMatchObject({ status: 200 })
  await remove()
  expectCancelled(await streamDeletion(target, first, { lastEventId: (deletion.events[0]?.id ?? 0) - 1 }), /taken back\.$/)
  expect(await siteOf(target, one)).toMatchObject({ state: 'ready' })
  for (const id of [first, second]) expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
}
