/** What every provider must do with jobs of several sites at a time, over HTTP. */
import { expect } from 'vitest'
import { get, post } from '../support/caller'
import { createSite, deleteSite, listSites, streamBackup, streamCreation, streamDeletion, type WorkStream } from '../support/slow-work'
import { newSite, type SitesTarget, siteOf } from './sites'

/** holdNext: lets the next work on a site stand still at that step, until what it resolves with is called. A sandbox takes long over some sites. */
export type QueueTarget = SitesTarget & { holdNext(step: string): Promise<() => Promise<void>> }

const waitsOf = ({ events }: WorkStream) => events.filter(({ step }) => step.startsWith('Waits for ')).map(({ message }) => message)

const done = { status: 'done', progress: 100, result: { success: true } }

export async function proveQueue(target: QueueTarget): Promise<void> {
  const [one, two, three] = ['large.queue.example.org', 'two.queue.example.org', 'three.queue.example.org'] as const
  for (const domain of [one, two]) expect(await createSite(target, newSite(target, domain))).toMatchObject({ status: 200 })
  const [first, second] = [(await siteOf(target, one)).id, (await siteOf(target, two)).id]

  const release = await target.holdNext('Backup')
  const begun = await streamBackup(target, first, { until: 2 })
  // Another backup waits, and says for what.
  const waiting = await streamBackup(target, second, { until: 1 })
  expect(waitsOf(waiting)).toEqual([`Waits for the backup of ${one}.`])
  // Other sites change meanwhile.
  const created = await streamCreation(target, newSite(target, three))
  expect(waitsOf(created)).toEqual([])
  expect(created.events.at(-1)).toMatchObject({ status: 'done' })
  const third = (await siteOf(target, three)).id
  expect(await post(target, `/sites/${third}/savedatabase`, { password: 'another harbour' })).toMatchObject({ status: 200 })
  const address = { user: 'anna', password: '', destination: 'anna@example.net' }
  expect(await post(target, `/sites/${third}/saveemail`, address)).toMatchObject({ status: 200 })
  // What is about the whole server does not wait.
  expect(await get(target, `/servers/${target.id}/install`)).toMatchObject({ status: 409, body: { code: 'busy' } })
  const running = await streamBackup(target, first, { lastEventId: (begun.events[0]?.id ?? 0) - 1, until: 1 })
  expect(new Set(running.events.map(({ status }) => status))).toEqual(new Set(['running']))
  await release()
  const [backup, next] = await Promise.all([
    streamBackup(target, first, { lastEventId: (begun.events[0]?.id ?? 0) - 1 }),
    streamBackup(target, second, { lastEventId: (waiting.events[0]?.id ?? 0) - 1 }),
  ])
  for (const { events } of [backup, next]) expect(events.at(-1)).toMatchObject(done)
  // No event of one is among those of the other.
  const ids = [backup, created, next].flatMap(({ events }) => events.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)

  // Two changes run one after the other.
  const goOn = await target.holdNext('Last backup')
  const deletion = await streamDeletion(target, first, { until: 1 })
  expect(waitsOf(deletion)).toEqual([])
  const after = await streamDeletion(target, second, { until: 1 })
  expect(waitsOf(after)).toEqual([`Waits for the deletion of ${one}.`])
  await goOn()
  const last = await streamDeletion(target, second, { lastEventId: (after.events[0]?.id ?? 0) - 1 })
  expect(last.events.at(-1)).toMatchObject({ status: 'done' })
  const whole = await streamDeletion(target, first, { lastEventId: (deletion.events[0]?.id ?? 0) - 1 })
  expect(whole.events.at(-1)).toMatchObject({ status: 'done' })
  expect((await listSites(target)).map(({ domain }) => domain)).toEqual([three])
  expect(await deleteSite(target, third)).toMatchObject({ status: 200 })
}
