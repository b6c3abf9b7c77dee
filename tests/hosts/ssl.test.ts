/** SSL of sites on a real host: certificates of a real ACME server, asked for over the host's own ports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { itemOf, newSite } from '../service/conformance/sites'
import { proveSsl } from '../service/conformance/ssl'
import { post } from '../service/support/caller'
import { createSite, deleteSite, streamSsl } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, giveIpv6, startAuthority } from './lab/authority'
import { startHost } from './lab/lab'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { visitSecurely } from './sites/https'
import { answerForOthers } from './sites/other-server'
import { creation, deletion, endOf, naming, runJob, siteNamed, switchingSsl, tracesOf, visit } from './sites/site-job'

const chance = openChance()

const one = siteNamed('onessl1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twossl3c4d', 'two.test')

let authority: Authority
let admitted: AdmittedHost

const from = (given = authority) => ({ directory: given.directory, roots: given.roots, contact: '' })
const switching = (site: SiteOnHost, on: boolean, given = authority) => switchingSsl(site, on, from(given))
const factsOf = async (site: SiteOnHost) => (await admitted.machine.sites.facts([site])).get(site.name)
const secure = async (name: string, path = '/') => visitSecurely(admitted.host, name, await authority.chainRoot(), path)
const redirect = async (name: string, path: string) =>
  (await admitted.host.run(`curl -sI -H 'Host: ${name}' 'http://127.0.0.1${path}' | tr -d '\\r' | sed -n 's/^Location: //p'`)).stdout.trim()

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    const { host, machine } = admitted
    await host.run('apt-get install -y -qq curl')
    await authority.serveNames(host)
    await authority.addAddresses('one.test', [host.ip], [await giveIpv6(host)])
    await authority.addAddresses('www.one.test', [host.ip])
    for (const site of [one, two]) expect(await endOf(machine, creation(site))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await authority?.[Symbol.asyncDispose]()
  })

  test('SSL passes the same conformance tests as on the sandbox', async () => {
    const { host } = admitted
    const options = { authority: from(), dnsServers: [authority.dnsAddress], siteChecksMs: 100, summarySharedMs: 0 }
    await using service = await openHttpService(admitted, options)
    const leadHere = async (names: readonly string[]) => {
      for (const name of names) await authority.addAddresses(name, [host.ip])
    }
    await proveSsl({ ...service, leadHere })
  })

  test('a name whose CAA records rule the authority out is left out with that reason, when SSL is switched on and when it is added later', async () => {
    const { host } = admitted
    await using service = await openHttpService(admitted, { authority: from(), dnsServers: [authority.dnsAddress] })
    const [domain, www, later] = ['caa.example.org', 'www.caa.example.org', 'later.caa.example.org']
    for (const name of [domain, www, later]) await authority.addAddresses(name, [host.ip])
    for (const name of [www, later]) await authority.addCaa(name, [{ tag: 'issue', value: 'elsewhere.example' }])
    const created = await createSite(service, { ...newSite(service, domain), www: '1' })
    expect(created).toMatchObject({ status: 200 })
    const id = String(created.body.id)
    const leftOut = (...names: string[]) =>
      names.map((name) => ({ name, reason: expect.stringContaining(`The CAA records of ${name} in DNS allow only elsewhere.example`) }))
    expect((await streamSsl(service, id, '1')).events.at(-1)).toMatchObject({
      status: 'done',
      message: expect.stringContaining(`leaves out ${www}.`),
    })
    expect(await itemOf(service, `/sites/${id}/settings`)).toMatchObject({ ssl: true, covered: [domain], left_out: leftOut(www) })
    expect(await post(service, `/sites/${id}/savealias`, { alias: later })).toMatchObject({ status: 200 })
    expect(await itemOf(service, `/sites/${id}/settings`)).toMatchObject({ covered: [domain], left_out: leftOut(later, www) })
    expect(await deleteSite(service, id, '?without_backup=1')).toMatchObject({ status: 200 })
  })

  test.each(['80', '443'])(
    'SSL is not switched on while the firewall of the server blocks port %s, and the checks say so before',
    async (port) => {
      const { host, machine } = admitted
      await host.run(`ufw delete allow ${port}/tcp`)
      const reason = expect.stringContaining(`The firewall of this server blocks port ${port}`)
      expect(await machine.sites.checkNames(one)).toEqual(['one.test', 'www.one.test'].map((name) => ({ name, result: 'blocked', reason })))
      expect(await endOf(machine, switching(one, true))).toMatchObject({ status: 'failed', problem: 'unsuitable', error: reason })
      expect(await factsOf(one)).toMatchObject({ ssl: false })
      await host.run(`ufw allow from 198.51.100.0/24 to any port ${port} proto tcp`)
      expect(await machine.sites.checkNames(one)).toEqual(
        ['one.test', 'www.one.test'].map((name) => ({ name, result: 'ready', reason: '' })),
      )
      await host.run(`ufw delete allow from 198.51.100.0/24 to any port ${port} proto tcp; ufw allow ${port}/tcp`)
    },
  )

  test('what is missing is said before the switch is tried, and nothing is changed', async () => {
    const { host, machine } = admitted
    expect(await machine.sites.checkNames(two)).toEqual([
      { name: 'two.test', result: 'blocked', reason: 'two.test has no address in DNS. Create a record that points to this server.' },
    ])
    // Where certificates come from and why there is none is noted all the same.
    const traces = async () => (await tracesOf(host)).replaceAll(/.*\/certificate.*\n/g, '')
    const before = await traces()
    expect(await endOf(machine, switching(two, true))).toMatchObject({
      status: 'failed',
      problem: 'unsuitable',
      error: 'two.test has no address in DNS. Create a record that points to this server.',
    })
    expect(await traces()).toBe(before)
    expect(await machine.sites.checkNames(one)).toEqual([
      { name: 'one.test', result: 'ready', reason: '' },
      { name: 'www.one.test', result: 'ready', reason: '' },
    ])
  })

  test('a certificate is issued for all names; http redirects to https and keeps the address; no other name gets the certificate', async () => {
    const { host, machine } = admitted
    const lines = await runJob(machine, switching(one, true))
    expect(lines.at(-1)).toMatchObject({ status: 'done', message: 'SSL of one.test is on.' })
    expect([...new Set(lines.map(({ step }) => step))]).toEqual(['Check the server', 'Check the names', 'Certificate', 'Web server'])
    for (const name of ['one.test', 'www.one.test']) {
      expect(await secure(name)).toMatchObject({ status: 200, text: expect.stringContaining('This site is ready') })
      expect(await redirect(name, '/a%20b/%3F%C3%BC?d=%26&e=%3F')).toBe(`https://${name}/a%20b/%3F%C3%BC?d=%26&e=%3F`)
    }
    expect(await redirect('one.test', '/.well-known/acme-challenge/x')).toBe('')
    expect(await visit(host, 'two.test')).toMatch(/^200 .*This site is ready/s)
    await expect(secure('two.test')).rejects.toThrow(/self-signed|certificate/)
    expect((await host.run('curl -sk -o /dev/null -w %{http_code} --resolve two.test:443:127.0.0.1 https://two.test/')).stdout).toBe('404')
    const facts = await factsOf(one)
    expect(facts).toMatchObject({
      ssl: true,
      answers: true,
      certificate: { names: ['one.test', 'www.one.test'], leftOut: [], problem: '' },
    })
    const { issued = '', expires = '' } = facts?.certificate ?? {}
    expect(Math.round((Date.parse(expires) - Date.parse(issued)) / 86_400_000)).toBe(90)
    expect((await machine.summary()).failing_certificates).toEqual([])
  })

  test('aliases get into the certificate, pasted ones with one order; one that cannot be reached is left out and named', async () => {
    const { host, machine } = admitted
    await authority.addAddresses('second.test', [host.ip])
    await authority.addAddresses('third.test', [host.ip])
    await authority.addAddresses('elsewhere.test', ['198.51.100.250'])
    const named = (...aliases: string[]) => ({ ...one, aliases: ['www.one.test', ...aliases] })
    const { serial } = await secure('one.test')
    expect(await endOf(machine, naming(named('second.test'), from(), true))).toMatchObject({ status: 'done' })
    expect(await secure('one.test')).toMatchObject({ serial })
    expect(await visit(host, 'second.test')).toMatch(/^200 .*This site is ready/s)
    expect(await endOf(machine, naming(named('second.test', 'third.test', 'elsewhere.test'), from()))).toMatchObject({
      message: 'The names of one.test are saved. The certificate leaves out elsewhere.test.',
    })
    expect(await secure('third.test')).toMatchObject({ status: 200, names: 'one.test, second.test, third.test, www.one.test' })
    const { certificate } = (await factsOf(named('second.test', 'third.test', 'elsewhere.test'))) ?? {}
    expect(certificate?.leftOut).toEqual([{ name: 'elsewhere.test', reason: expect.stringContaining('Nothing answers at 198.51.100.250') }])
    expect(await visit(host, 'elsewhere.test')).toMatch(/^200/)
    expect(await endOf(machine, naming(one, from()))).toMatchObject({ status: 'done' })
    expect(await secure('one.test')).toMatchObject({ names: 'one.test, www.one.test' })
  })

  test('switched off, the certificate is kept and http answers; on again, it is used without another order', async () => {
    const { host, machine } = admitted
    const { serial } = await secure('one.test')
    expect(await endOf(machine, switching(one, false))).toMatchObject({
      message: 'SSL of one.test is off. Its certificate is kept.',
    })
    expect(await visit(host, 'one.test')).toMatch(/^200/)
    await expect(secure('one.test')).rejects.toThrow()
    expect(await factsOf(one)).toMatchObject({ ssl: false, certificate: { names: ['one.test', 'www.one.test'] } })
    expect(await endOf(machine, switching(one, true))).toMatchObject({ status: 'done' })
    expect(await secure('one.test')).toMatchObject({ serial })
  })

  test('names that lead elsewhere: forwarded ones get a certificate, others are left out, each with its reason', async () => {
    const { host, machine } = admitted
    await using other = await startHost({ login: { kind: 'root-key' }, release })
    const otherIpv6 = await giveIpv6(other)
    const elsewhere = siteNamed('elsewhere5e6f', 'forwarded.test', ['ipv6.test', 'moved.test', 'other.test'])
    await answerForOthers(other, { forward: ['forwarded.test', host.ip], redirect: ['moved.test', 'http://nowhere.test/'] })
    for (const name of ['forwarded.test', 'moved.test', 'other.test']) await authority.addAddresses(name, [other.ip])
    await authority.addAddresses('ipv6.test', [host.ip], [otherIpv6])
    expect(await endOf(machine, creation(elsewhere))).toMatchObject({ status: 'done' })
    const anotherServer = (name: string, address: string) =>
      `At ${address} another server answers for ${name}. Point its DNS record to this server.`
    const checks = [
      {
        name: 'forwarded.test',
        result: 'warning',
        reason: `DNS points to ${other.ip}, which is not an address of this server. The site still answers there.`,
      },
      { name: 'ipv6.test', result: 'blocked', reason: anotherServer('ipv6.test', otherIpv6) },
      {
        name: 'moved.test',
        result: 'warning',
        reason: `${other.ip} redirects moved.test elsewhere. The certificate authority follows that, and has to end up here.`,
      },
      { name: 'other.test', result: 'blocked', reason: anotherServer('other.test', other.ip) },
    ]
    expect(await machine.sites.checkNames(elsewhere)).toEqual(checks)
    expect(await endOf(machine, switching(elsewhere, true))).toMatchObject({
      message: 'SSL of forwarded.test is on. The certificate leaves out ipv6.test, moved.test, other.test.',
    })
    expect(await secure('forwarded.test')).toMatchObject({ status: 200, names: 'forwarded.test' })
    expect((await factsOf(elsewhere))?.certificate?.leftOut).toEqual([
      { name: 'ipv6.test', reason: anotherServer('ipv6.test', otherIpv6) },
      { name: 'moved.test', reason: expect.stringContaining('nowhere.test') },
      { name: 'other.test', reason: anotherServer('other.test', other.ip) },
    ])
    expect(await endOf(machine, deletion(elsewhere, false))).toMatchObject({ status: 'done' })
  })

  test('a name that only the authority refuses is left out with its reason, and not ordered again; the others are certified', async () => {
    const { host, machine } = admitted
    const site = siteNamed('refused7a8b', 'most.test', ['refused.test', 'www.most.test'])
    for (const name of ['most.test', 'www.most.test']) await authority.addAddresses(name, [host.ip])
    // The server finds itself, the authority does not.
    await authority.addAddresses('refused.test', ['198.51.100.252'])
    await host.run(`echo '${host.ip} refused.test' >>/etc/hosts`)
    expect(await endOf(machine, creation(site))).toMatchObject({ status: 'done' })
    expect(await machine.sites.checkNames(site)).toEqual(
      [site.domain, ...site.aliases].map((name) => ({ name, result: 'ready', reason: '' })),
    )
    expect(await endOf(machine, switching(site, true))).toMatchObject({
      message: 'SSL of most.test is on. The certificate leaves out refused.test.',
    })
    const { serial } = await secure('www.most.test')
    expect(await secure('most.test')).toMatchObject({ status: 200, names: 'most.test, www.most.test', serial })
    expect(await visit(host, 'refused.test')).toMatch(/^200 .*This site is ready/s)
    expect((await factsOf(site))?.certificate).toMatchObject({
      leftOut: [{ name: 'refused.test', reason: expect.stringContaining('198.51.100.252') }],
      problem: '',
    })
    await host.run('gatehouse-certificates')
    expect(await secure('most.test')).toMatchObject({ serial })
    expect(await endOf(machine, deletion(site, false))).toMatchObject({ status: 'done' })
  })

  test('no answer has HSTS, unless a directive in the include folder sets it: that survives an alias, and SSL off and on', async () => {
    const { host, machine } = admitted
    const hsts = async () =>
      (await host.run('curl -skI --resolve one.test:443:127.0.0.1 https://one.test/ | tr -d "\r" | grep -i ^strict-transport')).stdout
    expect(await endOf(machine, switching(one, true))).toMatchObject({ status: 'done' })
    expect(await secure('one.test')).toMatchObject({ status: 200 })
    expect(await hsts()).toBe('')
    const own = `/etc/gatehouse/sites/${one.name}/apache/own.conf`
    await host.run(`a2enmod -q headers; echo 'Header always set Strict-Transport-Security "max-age=300"' >${own}; systemctl reload apache2`)
    const set = 'Strict-Transport-Security: max-age=300\n'
    await expect.poll(hsts).toBe(set)
    expect(await endOf(machine, naming({ ...one, aliases: ['www.one.test', 'hsts.test'] }, from(), true))).toMatchObject({ status: 'done' })
    expect(await visit(host, 'hsts.test')).toMatch(/^200/)
    expect(await hsts()).toBe(set)
    for (const on of [false, true]) expect(await endOf(machine, switching(one, on))).toMatchObject({ status: 'done' })
    expect(await hsts()).toBe(set)
    await host.run(`rm ${own}`)
    expect(await endOf(machine, naming(one, from()))).toMatchObject({ status: 'done' })
    expect(await hsts()).toBe('')
  })

  test('a configuration that an admin broke is not reloaded: the error is named, and nothing is changed', async () => {
    const { host, machine } = admitted
    await host.run('echo Nonsense >/etc/apache2/sites-enabled/broken.conf')
    for (const on of [true, false]) {
      expect(await endOf(machine, switching(one, on))).toMatchObject({
        status: 'failed',
        problem: 'unsuitable',
        error: expect.stringMatching(/^Apache’s configuration has an error, so it cannot be reloaded: .*broken\.conf/),
      })
    }
    await host.run('rm /etc/apache2/sites-enabled/broken.conf')
    expect(await secure('one.test')).toMatchObject({ status: 200 })
  })

  test('after three failed orders within an hour the authority is left alone', async () => {
    const { host, machine } = admitted
    // The server finds itself, the authority does not.
    await authority.addAddresses('two.test', ['198.51.100.251'])
    await host.run(`echo '${host.ip} two.test' >>/etc/hosts`)
    for (let at = 0; at < 3; at++) {
      expect(await endOf(machine, switching(two, true))).toMatchObject({
        status: 'failed',
        problem: 'unsuitable',
        error: expect.stringContaining('The certificate authority issued no certificate. two.test:'),
      })
    }
    expect(await endOf(machine, switching(two, true))).toMatchObject({
      error: expect.stringMatching(
        /^The certificate authority refused two.test 3 times within an hour. It can be tried again after \d\d:\d\d UTC.$/,
      ),
    })
    expect(await visit(host, 'two.test')).toMatch(/^200 .*This site is ready/s)
  })

  test('a deletion takes the certificate away', async () => {
    const { host, machine } = admitted
    expect(await endOf(machine, deletion(one, false))).toMatchObject({ status: 'done' })
    expect((await host.run(`find /etc/gatehouse /etc/apache2 /var/www -name '*${one.name}*'`)).stdout).toBe('')
    expect(await visit(host, 'two.test')).toMatch(/^200 .*This site is ready/s)
  })
})
