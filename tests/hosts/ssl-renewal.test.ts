/** Certificates of sites that live for seconds, and are renewed on a real host by the program that its timer starts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { visitSecurely } from './sites/https'
import { creation, endOf, naming, siteNamed, switchingEmail, switchingSsl, visit } from './sites/site-job'

const chance = openChance()

const one = siteNamed('onerenewal1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('tworenewal3c4d', 'two.test')
const done = { status: 'done' }

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let brief: Authority
  let admitted: AdmittedHost
  const from = () => ({ directory: brief.directory, roots: brief.roots, contact: '' })
  const factsOf = async (site: SiteOnHost) => (await admitted.machine.sites.facts([site])).get(site.name)
  beforeAll(async () => {
    brief = await startAuthority({ lifeSeconds: 40 })
    admitted = await startInstalled(release)
    const { host, machine } = admitted
    await brief.serveNames(host)
    for (const name of ['one.test', 'www.one.test', 'two.test']) await brief.addAddresses(name, [host.ip])
    for (const site of [one, two]) expect(await endOf(machine, creation(site))).toMatchObject(done)
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await brief?.[Symbol.asyncDispose]()
  })

  test('the certificate that a renewal brings is the one that mail programs see', async () => {
    const { host, machine } = admitted
    await machine.setHostname('mail.lab.test')
    expect(await endOf(machine, switchingEmail(two, true))).toMatchObject(done)
    expect(await endOf(machine, switchingSsl(two, true, from()))).toMatchObject(done)
    const serial = async () =>
      (
        await host.run(
          `openssl s_client -connect localhost:465 -servername two.test </dev/null 2>/dev/null | openssl x509 -noout -serial -subject`,
        )
      ).stdout
    const served = async () =>
      (await host.run(`openssl x509 -noout -serial -subject -in /etc/gatehouse/sites/${two.name}/certificate/served.pem`)).stdout
    const first = await served()
    expect(await serial()).toBe(first)
    await host.run('sleep 24 && gatehouse-certificates')
    expect(await served()).not.toBe(first)
    expect(await serial()).toBe(await served())
    expect(await endOf(machine, switchingSsl(two, false, from()))).toMatchObject(done)
  })

  test('certificates renew automatically, without a name that fails; failures are reported, and the old one is served meanwhile', async () => {
    const { host, machine } = admitted
    const renew = () => host.run('gatehouse-certificates')
    const serialOf = async (name: string) => (await visitSecurely(host, name, await brief.chainRoot())).serial
    expect(await endOf(machine, switchingSsl(one, true, from()))).toMatchObject(done)
    const first = await serialOf('one.test')
    await renew()
    expect(await serialOf('one.test')).toBe(first)
    await brief.clear('www.one.test')
    await host.run('sleep 26')
    await renew()
    expect(await serialOf('one.test')).not.toBe(first)
    expect(await factsOf(one)).toMatchObject({
      certificate: { names: ['one.test'], leftOut: [{ name: 'www.one.test', reason: expect.stringContaining('no address') }], problem: '' },
    })
    expect(await visit(host, 'www.one.test')).toMatch(/^200/)
    await brief.stop()
    await host.run(`echo '${host.ip} one.test' >>/etc/hosts; sleep 27`)
    await renew()
    await renew()
    expect((await machine.summary()).failing_certificates).toEqual(['one.test'])
    expect((await factsOf(one))?.certificate?.problem).toMatch(/^The certificate authority issued no certificate\./)
    expect(await visit(host, 'two.test')).toMatch(/^200/)
    // Names are saved all the same.
    await host.run(`echo '${host.ip} second.test' >>/etc/hosts`)
    const more = { ...one, aliases: ['second.test'] }
    expect(await endOf(machine, naming(more, from()))).toMatchObject({
      ...done,
      message: expect.stringContaining('its certificate is still the former one: The certificate authority issued no certificate.'),
    })
    expect(await visit(host, 'second.test')).toMatch(/^200 .*This site is ready/s)
    expect(await visit(host, 'www.one.test')).not.toMatch(/^200 .*This site is ready/s)
  })

  test('after the server is deleted from Gatehouse, the program that renews certificates still runs', async () => {
    const { host, machine } = admitted
    expect(await machine.cleanUp()).toBe(true)
    expect(await host.run('gatehouse-certificates')).toMatchObject({ code: 0 })
  })
})
