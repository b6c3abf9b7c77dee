/** Where the names of a site lead: with www to the domain, and to https, which browsers may be told to insist on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteSettings } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { creation, endOf, naming, siteNamed, switchingSsl, visit } from './sites/site-job'

const chance = openChance()

const site = siteNamed('onename1a2b', 'one.test', ['www.one.test'])

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let authority: Authority
  let admitted: AdmittedHost
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    await admitted.host.run('apt-get install -y -qq curl')
    await authority.serveNames(admitted.host)
    for (const name of ['one.test', 'www.one.test']) await authority.addAddresses(name, [admitted.host.ip])
    expect(await endOf(admitted.machine, creation(site, true))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await authority?.[Symbol.asyncDispose]()
  })

  const from = () => ({ directory: authority.directory, roots: authority.roots, contact: '' })
  /** The status, and where it leads or HSTS, if any. */
  const heads = async (address: string) => {
    const { stdout } = await admitted.host.run(
      `curl -skI --resolve one.test:80:127.0.0.1 --resolve www.one.test:80:127.0.0.1 --resolve one.test:443:127.0.0.1 \
        --resolve www.one.test:443:127.0.0.1 '${address}' | tr -d '\\r' | grep -iE '^(HTTP/|location:|strict-)' | sed 's/^HTTP[^ ]* //; s/ [A-Z].*//'`,
    )
    return stdout.trim().split('\n')
  }
  const save = async (given: Partial<SiteSettings>, of = site) => {
    const settings = (await admitted.machine.sites.facts([of])).get(of.name)?.settings
    if (!settings) throw new Error('The host reports no settings.')
    const { versions: _, extensions: __, ...now } = settings
    return endOf(admitted.machine, {
      kind: 'settings',
      site: of,
      settings: { ...now, uploadMb: now.uploadMb ?? 64, memoryMb: now.memoryMb ?? 256, ...given },
    })
  }
  const settingsOf = async () => (await admitted.machine.sites.facts([site])).get(site.name)?.settings

  test('the name with www leads to the domain, with the address as it was sent; proofs of certificates are found under both names', async () => {
    const { host } = admitted
    expect(await heads('http://www.one.test/a%20b/?c=d%26e')).toEqual(['301', 'Location: http://one.test/a%20b/?c=d%26e'])
    expect(await heads('http://WWW.one.test/')).toEqual(['301', 'Location: http://one.test/'])
    expect(await heads('http://one.test/')).toEqual(['200'])
    await host.run(
      `install -d /var/www/gatehouse-sites/${site.name}/.well-known/acme-challenge && echo proof >/var/www/gatehouse-sites/${site.name}/.well-known/acme-challenge/x`,
    )
    expect(await visit(host, 'www.one.test', '/.well-known/acme-challenge/x')).toBe('200 proof\n')
    expect(await settingsOf()).toMatchObject({ wwwRedirect: true, hstsSeconds: 0 })
  })

  test('without the alias nothing leads there, and it cannot be chosen; with it, it is as before', async () => {
    const bare = { ...site, aliases: [] }
    expect(await endOf(admitted.machine, naming(bare))).toMatchObject({ status: 'done' })
    expect(await settingsOf()).toMatchObject({ wwwRedirect: false })
    expect(await save({ wwwRedirect: true }, bare)).toMatchObject({ status: 'failed', error: expect.stringContaining('Add it first') })
    expect(await endOf(admitted.machine, naming(site))).toMatchObject({ status: 'done' })
    expect(await heads('http://www.one.test/')).toEqual(['200'])
    expect(await save({ wwwRedirect: true })).toMatchObject({ status: 'done' })
    expect(await heads('http://www.one.test/')).toEqual(['301', 'Location: http://one.test/'])
    expect(await save({ wwwRedirect: false })).toMatchObject({ status: 'done' })
    expect(await heads('http://www.one.test/')).toEqual(['200'])
    expect(await save({ wwwRedirect: true })).toMatchObject({ status: 'done' })
  })

  test('with SSL both lead to https, once; browsers insist on it only for as long as was chosen, and while SSL is on', async () => {
    const { machine } = admitted
    expect(await save({ hstsSeconds: 300 })).toMatchObject({ status: 'failed', error: expect.stringContaining('SSL of the site is off') })
    expect(await endOf(machine, switchingSsl(site, true, from()))).toMatchObject({ status: 'done' })
    expect(await heads('http://www.one.test/a?b')).toEqual(['301', 'Location: https://one.test/a?b'])
    expect(await heads('http://one.test/a?b')).toEqual(['301', 'Location: https://one.test/a?b'])
    expect(await heads('https://www.one.test/a?b')).toEqual(['301', 'Location: https://one.test/a?b'])
    expect(await heads('https://one.test/')).toEqual(['200'])
    expect(await save({ hstsSeconds: 300 })).toMatchObject({ status: 'done' })
    expect(await heads('https://one.test/')).toEqual(['200', 'Strict-Transport-Security: max-age=300'])
    expect(await heads('http://one.test/')).toEqual(['301', 'Location: https://one.test/'])
    // Other work that writes the virtual host keeps both.
    expect(await save({ memoryMb: 300, wwwRedirect: null, hstsSeconds: null })).toMatchObject({ status: 'done' })
    expect(await settingsOf()).toMatchObject({ wwwRedirect: true, hstsSeconds: 300, memoryMb: 300 })
    expect(await endOf(machine, switchingSsl(site, false, from()))).toMatchObject({ status: 'done' })
    expect(await settingsOf()).toMatchObject({ wwwRedirect: true, hstsSeconds: 0 })
    expect(await heads('http://www.one.test/')).toEqual(['301', 'Location: http://one.test/'])
  })
})
