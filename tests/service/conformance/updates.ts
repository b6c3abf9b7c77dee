/** What every provider must do to install updates over HTTP. */
import { expect } from 'vitest'
import { get, post, readUpdates, type Target } from '../support/caller'

type UpdatesTarget = Target & { id: string }

const updatesOf = async (target: UpdatesTarget): Promise<unknown[]> => {
  const { body } = await get(target, `/servers/${target.id}/summary`)
  const item = (body.item as Record<string, unknown>[])[0]
  return [item?.updates, item?.security_updates, item?.reboot_required]
}

/** The server has three updates, one of security and one that needs a reboot. stranger: the same service with another account's key. */
export async function proveUpdates(target: UpdatesTarget, stranger: Target): Promise<void> {
  expect(await post(stranger, `/servers/${target.id}/updates`, { security: '1' })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  })
  expect(await post(target, `/servers/${target.id}/updates`, { security: 'perhaps' })).toMatchObject({ status: 422 })
  expect(await updatesOf(target)).toEqual(['3', '1', false])

  const [events, attached] = await Promise.all([readUpdates(target, target.id, '1'), readUpdates(target, target.id, '1')])
  expect(attached.events).toEqual(events.events)
  expect([...new Set(events.events.map(({ step }) => step))]).toEqual(['Package system', 'Package lists', 'Updates', 'Services'])
  expect(events.events.at(-1)).toMatchObject({ status: 'done', progress: 100, message: '1 package was updated.' })
  expect(await updatesOf(target)).toEqual(['2', '0', false])
  const { id: last = 0 } = events.events.at(-2) ?? {}
  expect((await readUpdates(target, target.id, '0', { lastEventId: last })).events).toEqual(events.events.slice(-1))

  const all = (await readUpdates(target, target.id, '0')).events.at(-1)
  expect(all).toMatchObject({
    status: 'done',
    message: '2 packages were updated. The server has to be rebooted for all of it to take effect.',
  })
  expect(await updatesOf(target)).toEqual(['0', '0', true])
  expect((await readUpdates(target, target.id, '0')).events.at(-1)).toMatchObject({
    status: 'done',
    message: expect.stringMatching(/^There was nothing/),
  })
}
