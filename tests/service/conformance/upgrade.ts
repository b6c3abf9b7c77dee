/** What every provider must do to bring a server up to date over HTTP. */
import { expect } from 'vitest'
import { get, post, readRevert, readUpgrade, type Target } from '../support/caller'

type UpgradeTarget = Target & { id: string }

const outdatedOf = async (target: UpgradeTarget): Promise<unknown> => {
  const { body } = await get(target, `/servers/${target.id}/summary`)
  return (body.item as Record<string, unknown>[])[0]?.outdated_sites
}

const upgrade = async (target: UpgradeTarget, lastEventId?: number) => {
  const { status, events } = await readUpgrade(target, target.id, lastEventId === undefined ? {} : { lastEventId })
  expect(status).toBe(200)
  return events
}

/** The server has sites of an earlier version, of these domains, and nothing is at work. stranger: the same service with another account's key. */
export async function proveUpgrade(target: UpgradeTarget, stranger: Target, domains: readonly string[]): Promise<void> {
  const path = `/servers/${target.id}/upgrade`
  expect(await post(stranger, path, {})).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await outdatedOf(target)).toEqual(domains)

  const [events, attached] = await Promise.all([upgrade(target), upgrade(target)])
  expect(attached).toEqual(events)
  expect([...new Set(events.map(({ step }) => step))]).toEqual(['Check the server', 'Server', ...domains])
  expect(events.at(-1)).toMatchObject({ status: 'done', progress: 100, message: expect.stringContaining('up to date') })
  expect(await outdatedOf(target)).toEqual([])
  expect(await upgrade(target, events.at(-2)?.id)).toEqual(events.slice(-1))

  const back = (await readRevert(target, target.id)).events
  expect(back.at(-1)).toMatchObject({ status: 'done', message: expect.stringContaining('taken back') })
  expect(await outdatedOf(target)).toEqual(domains)
  expect((await upgrade(target)).at(-1)).toMatchObject({ status: 'done' })

  const again = await upgrade(target)
  expect(again.at(-1)).toMatchObject({ status: 'done', message: 'The server and its sites are up to date.' })
  expect(again.map(({ step }) => step)).not.toContain(domains[0])
}
