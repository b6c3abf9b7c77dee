/** Sites of a real host whose server is deleted in Gatehouse and added again: by the same account, by another one, and by a service that knows nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proveAdoption } from '../service/conformance/adoption'
import { create, register } from '../service/conformance/servers'
import { newSite } from '../service/conformance/sites'
import { get, post, readInstall } from '../service/support/caller'
import { openTestService } from '../service/support/service'
import { createSite, deleteSite, listSites, streamBackup } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { visit } from './sites/site-job'

const chance = openChance()

let admitted: AdmittedHost
let service: Awaited<ReturnType<typeof openTestService>>

const timer = 'systemctl is-active gatehouse-backup.timer; systemctl is-enabled gatehouse-backup.timer; ls /usr/local/sbin/gatehouse-backup'
const kept = 'active\nenabled\n/usr/local/sbin/gatehouse-backup\n'

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  beforeAll(async () => {
    admitted = await startInstalled(release)
    // The key of the test itself would count as another Gatehouse.
    await admitted.connections.close()
    await run("sed -i '/ gatehouse:/d' /root/.ssh/authorized_keys")
    service = await openTestService({ siteChecksMs: 100, summarySharedMs: 0 })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await admitted?.[Symbol.asyncDispose]()
  })

  const run = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command, { timeoutMs: 120_000 })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const tell = async (command: string) => (await admitted.host.run(command)).stdout
  const loginOf = () => ({ provider: 'ssh', host: admitted.host.ip, port: String(admitted.host.port), ...admitted.host.login })
  const records = () => run("grep -h '^owner ' /etc/gatehouse/sites/*/site || true")

  test('a server that is deleted keeps its sites, their backups and the timer; added again, they are as before; without sites nothing stays', async () => {
    const { id } = await register(service, loginOf(), 'first')
    await readInstall(service, id)
    const target = { ...service, id }
    await proveAdoption(target, loginOf())

    const site = String((await createSite(target, newSite(target, 'nightly.test'))).body.id)
    // As an earlier version made it.
    await run("sed -i '/^owner /d' /etc/gatehouse/sites/*/site")
    expect(await get(service, `/servers/${id}/delete`)).toMatchObject({ body: { cleaned: true, staying: ['nightly.test'] } })
    expect(await tell('grep -c gatehouse: /root/.ssh/authorized_keys')).toBe('0\n')
    expect(await tell(timer)).toBe(kept)
    expect(await records()).toMatch(/^owner [0-9a-f]{32}\n$/)
    await run('rm -f /var/backups/gatehouse-sites/nightly.test-*; systemctl start gatehouse-backup.service')
    expect(await run('ls /var/backups/gatehouse-sites')).toMatch(/^nightly\.test-\d{8}-\d{6}-nightly\.tar\.zst$/m)
    expect(await visit(admitted.host, 'nightly.test')).toMatch(/^200/)

    expect(await create(service, { ...loginOf(), name: 'again' })).toMatchObject({ status: 200, body: { adopted: ['nightly.test'] } })
    expect(await listSites(service)).toMatchObject([{ id: site, server: id, domain: 'nightly.test' }])
    expect(((await get(service, `/sites/${site}/backups`)).body.items as unknown[]).length).toBe(1)
    expect(await deleteSite(service, site, '?without_backup=1')).toMatchObject({ status: 200 })
    expect(await get(service, `/servers/${id}/delete`)).toMatchObject({ body: { cleaned: true, staying: [] } })
    expect(await tell(timer)).not.toMatch(/^active|gatehouse-backup$/m)
    expect(await tell('ls /etc/gatehouse/manifest')).toBe('')
  })

  test('another account learns who holds a site, and takes it over as root; a service that knows nothing takes what nobody holds', async () => {
    const { id } = await register(service, loginOf(), 'first')
    await readInstall(service, id)
    const target = { ...service, id }
    const site = String((await createSite(target, newSite(target, 'held.test'))).body.id)
    const owner = (await records()).trim().split(' ')[1]

    const stranger = { ...service, key: await service.createKey('stranger') }
    const added = await create(stranger, { ...loginOf(), name: 'theirs' })
    expect(added).toMatchObject({ status: 200, body: { adopted: [], held: [{ domain: 'held.test', owner }] } })
    expect(await listSites(stranger)).toEqual([])
    const theirs = { ...stranger, id: String((added.body.items as { id: string }[])[0]?.id) }
    await readInstall(theirs, theirs.id)
    const refused = await createSite(theirs, newSite(theirs, 'held.test'))
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'unsuitable', error: expect.stringContaining(`another account of Gatehouse (${owner})`) },
    })

    await run(String(added.body.take_over))
    expect(await get(theirs, `/servers/${theirs.id}/delete`)).toMatchObject({ status: 200 })
    const again = await create(stranger, { ...loginOf(), name: 'theirs' })
    expect(again).toMatchObject({ status: 200, body: { adopted: ['held.test'] } })
    const now = String((again.body.items as { id: string }[])[0]?.id)
    expect(await listSites(stranger)).toMatchObject([{ id: site, server: now, domain: 'held.test' }])
    expect(await listSites(service)).toEqual([])
    expect((await streamBackup(stranger, site)).events.at(-1)).toMatchObject({ status: 'done' })

    // An earlier version said nothing, and this service has another database.
    await run("sed -i '/^owner /d' /etc/gatehouse/sites/*/site")
    await using other = await openTestService({ siteChecksMs: 100 })
    const shared = await create(other, { ...loginOf(), name: 'shared' })
    expect(shared).toMatchObject({ status: 200, body: { adopted: [], held: [{ domain: 'held.test', owner: '' }] } })
    const [elsewhere] = shared.body.items as { id: string }[]
    for (const [who, which] of [[other, elsewhere?.id] as const, [stranger, now] as const, [service, id] as const])
      expect(await get(who, `/servers/${which}/delete`)).toMatchObject({ status: 200, body: { cleaned: true } })
    await run("sed -i '/^owner /d' /etc/gatehouse/sites/*/site")
    expect(await create(other, { ...loginOf(), name: 'alone' })).toMatchObject({ status: 200, body: { adopted: ['held.test'] } })
    expect(await listSites(other)).toMatchObject([{ id: site, domain: 'held.test', state: 'ready' }])
    expect(await post(other, `/sites/${site}/savealias`, { alias: 'more.held.test' })).toMatchObject({ status: 200 })
    expect(await deleteSite(other, site, '?without_backup=1')).toMatchObject({ status: 200 })
  })
})
