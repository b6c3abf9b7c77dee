/** What every provider must do for the sites of a server that its account deletes and adds again, over HTTP. */
import { expect } from 'vitest'
import { get, post } from '../support/caller'
import { createSite, deleteSite, listSites, streamBackup, streamSettings } from '../support/slow-work'
import { create, type MachineLogin } from './servers'
import { itemOf, newSite, type SitesTarget } from './sites'

const [domain, alias, other] = ['stays.example.org', 'shop.stays.example.org', 'also.example.org']

const aliasesOf = async (target: SitesTarget, id: string) =>
  ((await itemOf(target, `/sites/${id}/aliases`)).aliases as { domain: string }[]).map((each) => each.domain)

const sitesOf = async (target: SitesTarget) => (await listSites(target)).map(({ id, domain, server }) => ({ id, domain, server }))

/** login: of the server, which is installed and has no sites. Leaves it as it was. Nobody else may be using Gatehouse on it. */
export async function proveAdoption(target: SitesTarget, login: MachineLogin): Promise<void> {
  const made = await createSite(target, newSite(target, domain))
  const id = String(made.body.id)
  expect(await createSite(target, newSite(target, other))).toMatchObject({ status: 200 })
  expect(await post(target, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
  const { events } = await streamBackup(target, id)
  const before = await sitesOf(target)

  const deleted = await get(target, `/servers/${target.id}/delete`)
  expect(deleted).toMatchObject({ status: 200, body: { cleaned: true, staying: [other, domain].sort() } })
  expect(await sitesOf(target)).toEqual([])
  for (const path of [`/servers/${target.id}/summary`, `/sites/${id}/summary`, `/sites/${id}/backups`])
    expect(await get(target, path)).toMatchObject({ status: 404, body: { code: 'not_found' } })

  const asked = await create(target, { ...login, name: 'again', adopt: 'ask' })
  expect(asked).toMatchObject({ status: 409, body: { code: 'adoption_unconfirmed', error: expect.stringContaining(domain) } })
  expect((await get(target, '/servers/')).body.items).toEqual([])
  const added = await create(target, { ...login, name: 'again' })
  expect(added).toMatchObject({ status: 200, body: { items: [{ id: target.id }] } })
  expect([...(added.body.adopted as string[])].sort()).toEqual([other, domain].sort())
  expect(added.body).not.toHaveProperty('held')

  expect((await get(target, '/servers/')).body.items).toMatchObject([{ id: target.id, name: 'again', state: 'ready' }])
  expect((await sitesOf(target)).sort((one, next) => one.id.localeCompare(next.id))).toEqual(
    before.sort((one, next) => one.id.localeCompare(next.id)),
  )
  expect(await aliasesOf(target, id)).toEqual([alias])
  // The job that was made before is still there.
  expect((await streamBackup(target, id, { lastEventId: (events[0]?.id ?? 0) - 1 })).events).toEqual(events)
  const { php = '' } = (await itemOf(target, `/sites/${id}/settings`)) as Record<string, string>
  const settings = await streamSettings(target, id, { php, upload_limit: '77', memory_limit: '128', folder: '' })
  expect(settings.events.at(-1)).toMatchObject({ status: 'done' })
  expect((await streamBackup(target, id)).events.at(-1)).toMatchObject({ status: 'done' })
  for (const each of before) expect(await deleteSite(target, each.id, '?without_backup=1')).toMatchObject({ status: 200 })
}
