/** What every provider must do with the last backups of deleted sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, send, type Target } from '../support/caller'
import { createSite, deleteSite, listSites, streamCreation } from '../support/slow-work'
import { expectWhole, itemOf, newSite, type SitesTarget } from './sites'

type LastBackup = { name: string; domain: string; created_at: string; taken: string[] }

export async function lastBackupsOf(target: SitesTarget): Promise<LastBackup[]> {
  const { status, body } = await get(target, `/servers/${target.id}/lastbackups`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  return body.items as LastBackup[]
}

const deleteLast = (target: Target, serverId: string, names: readonly string[]): Promise<Said> =>
  send(target, `/servers/${serverId}/lastbackups`, new URLSearchParams(names.map((name) => ['ids[]', name])))

const domain = 'gone.example.org'
const [kept, lost] = ['kept.gone.example.org', 'lost.gone.example.org']

async function proveRefusals(target: SitesTarget, stranger: Target, name: string): Promise<void> {
  for (const odd of ['../x', '/etc/passwd', '-rf', '$(id)', `../${name}`, name.replace('-delete', '-manual')]) {
    const refused = { status: 422, body: { code: 'invalid' } }
    expect(await createSite(target, { ...newSite(target, domain), backup: odd })).toMatchObject(refused)
    expect(await deleteLast(target, target.id, [odd])).toMatchObject(refused)
  }
  const absent = name.replace(/-\d{8}-/, '-20200101-')
  const unknown = { status: 409, body: { code: 'changed_meanwhile', error: expect.stringContaining(absent) } }
  expect(await createSite(target, { ...newSite(target, domain), backup: absent })).toMatchObject(unknown)
  expect(await deleteLast(target, target.id, [absent])).toMatchObject({ status: 200 })
  expect(await get(stranger, `/servers/${target.id}/lastbackups`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await deleteLast(stranger, target.id, [name])).toMatchObject({ status: 404 })
}

/** stranger: the same service with the key of another account. Leaves the server without the sites that it creates. */
export async function proveLastBackups(target: SitesTarget, stranger: Target): Promise<void> {
  for (const { name } of await lastBackupsOf(target)) expect(await deleteLast(target, target.id, [name])).toMatchObject({ status: 200 })
  const id = String((await createSite(target, newSite(target, domain))).body.id)
  for (const alias of [kept, lost]) expect(await post(target, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
  expect(await deleteSite(target, id)).toMatchObject({ status: 200 })
  const [last, ...others] = await lastBackupsOf(target)
  if (!last) throw new Error('The last backup is not listed.')
  expect(others).toEqual([])
  expect(last).toEqual({
    name: expect.stringMatching(/^gone\.example\.org-\d{8}-\d{6}-delete\.tar\.(zst|gz)$/),
    domain,
    size: expect.any(Number),
    proven: true,
    format: 2,
    lacks: [],
    taken: [],
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    kept_until: new Date(Date.parse(last.created_at) + 7 * 86_400_000).toISOString(),
  })
  await proveRefusals(target, stranger, last.name)

  const other = String((await createSite(target, newSite(target, lost))).body.id)
  expect(await lastBackupsOf(target)).toEqual([{ ...last, taken: [lost] }])
  const restored = await streamCreation(target, { ...newSite(target, domain), backup: last.name })
  const again = (await listSites(target)).find((site) => site.domain === domain)?.id ?? ''
  expect(again).not.toBe(id)
  expectWhole(restored, { success: true, id: again })
  const { message = '' } = restored.events.at(-1) ?? {}
  expect(message).toContain('is restored from the last backup')
  expect(message).toContain(`Not as before: the alias ${lost}, which is a name of another site now`)
  expect((await itemOf(target, `/sites/${again}/aliases`)).aliases).toMatchObject([{ domain: kept }])
  const now = (await lastBackupsOf(target)).map((each) => ({ ...each, taken: each.taken.toSorted() }))
  expect(now).toEqual([{ ...last, taken: [kept, lost] }])

  // The former domain belongs to a site now, so only another one can have what was in the backup.
  const taken = { status: 422, body: { fields: { domain: expect.stringContaining(`${domain} is already a name of another site`) } } }
  expect(await createSite(target, { ...newSite(target, domain), backup: last.name })).toMatchObject(taken)
  const elsewhere = await createSite(target, { ...newSite(target, 'elsewhere.example.org'), backup: last.name })
  expect(elsewhere).toMatchObject({ status: 200, body: { success: true } })
  expect((await itemOf(target, `/sites/${elsewhere.body.id}/aliases`)).aliases).toEqual([])

  for (const each of [again, other, String(elsewhere.body.id)])
    expect(await deleteSite(target, each, '?without_backup=1')).toMatchObject({ status: 200 })
  expect(await deleteLast(target, target.id, [last.name])).toMatchObject({ status: 200, body: { success: true } })
  expect(await lastBackupsOf(target)).toEqual([])
}
