/** Where a domain leads, before a site is made of it. */
import { expect, test } from 'vitest'
import { checkDomain } from '@/lib/portal/subjects/sites/domain-check'
import { getSettings } from '@/lib/settings/settings'
import { addressRecord, startNameServer } from '@/tests/service/support/name-server'

test('a domain of any script is looked up; a name without records is an answer, a resolver that fails is none, and no domain is refused', async () => {
  const asked: string[] = []
  await using names = await startNameServer((name, type) => {
    asked.push(name)
    if (name === 'silent.example') return new Promise(() => {})
    return name === 'xn--mnchen-3ya.example' && type === 1 ? Array.from({ length: 12 }, (_, at) => addressRecord(192, 0, 2, at)) : []
  })
  Object.assign(getSettings(), { dnsServers: [names.address] })
  const found = await checkDomain(' münchen.example')
  expect(found).toMatchObject({ ok: true, data: { addresses: expect.arrayContaining(['192.0.2.0']) } })
  expect(found.ok && found.data.addresses).toHaveLength(8)
  expect(await checkDomain('nowhere.example')).toEqual({ ok: true, data: { addresses: [] } })
  expect(await checkDomain('silent.example')).toEqual({ ok: true, data: { addresses: null } })
  expect(asked).toContain('xn--mnchen-3ya.example')
  for (const typed of ['', 'x', 'a b.example', `${'x'.repeat(300)}.example`, '../etc'])
    expect({ typed, said: await checkDomain(typed) }).toMatchObject({ typed, said: { ok: false, problem: { code: 'invalid' } } })
})
