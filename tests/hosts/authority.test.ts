import { X509Certificate } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { expect, test } from 'vitest'
import { giveIpv6, startAuthority } from './lab/authority'
import { readText } from './lab/authority-directory'
import { startHost } from './lab/lab'
import { ipv6Of } from './lab/network'

test('authorities that run at the same time have roots of their own', async () => {
  await using first = await startAuthority({ caaIdentities: ['first.test'] })
  await using second = await startAuthority()
  const directory: { newOrder: string; meta: unknown } = JSON.parse(await readText(first.directory, first.roots))
  expect(directory.meta).toMatchObject({ caaIdentities: ['first.test'] })
  expect(await readText(directory.newOrder, first.roots)).toContain('Method not allowed')
  for (const url of [first.directory, directory.newOrder]) await expect(readText(url, second.roots)).rejects.toThrow('certificate')
  const root = await first.chainRoot()
  expect(new X509Certificate(root).ca).toBe(true)
  expect(root).not.toBe(await second.chainRoot())
})

test('a host resolves the names of its authority and reaches it over IPv6', async () => {
  await using authority = await startAuthority()
  await using host = await startHost({ login: { kind: 'root-key' } })
  await authority.serveNames(host)
  await authority.addAddresses('site.test', [host.ip], [await giveIpv6(host)])
  const addressesOf = async (name: string) => (await host.run(`getent ahosts ${name} | awk '$2 == "STREAM" { print $1 }' | sort`)).stdout
  expect(await addressesOf('site.test')).toBe(`${host.ip}\n${ipv6Of(host.ip)}\n`)
  expect(await addressesOf('other.test')).toBe('')
  await authority.clear('site.test')
  expect(await addressesOf('site.test')).toBe('')
  expect(await host.run(`ping -6 -c 1 -W 5 ${ipv6Of(authority.dnsAddress.replace(/:.*/, ''))}`)).toMatchObject({ code: 0 })
})

test('a name has CAA records until it is cleared', async () => {
  await using authority = await startAuthority()
  const resolver = new Resolver()
  resolver.setServers([authority.dnsAddress])
  await authority.addCaa('site.test', [{ tag: 'issue', value: 'elsewhere.example' }])
  expect(await resolver.resolveCaa('site.test')).toEqual([{ critical: 0, issue: 'elsewhere.example' }])
  await authority.clear('site.test')
  await expect(resolver.resolveCaa('site.test')).rejects.toMatchObject({ code: 'ENODATA' })
})
