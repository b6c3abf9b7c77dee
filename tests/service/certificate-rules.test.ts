/** CAA records are written by whoever owns a domain, and the authority's names by the authority: neither is trusted to be short. */
import { expect, test } from 'vitest'
import { createCertificateRules } from '@/lib/service/certificate-rules'
import { issueRecord, startNameServer } from './support/name-server'

const authority = { directory: 'https://authority.test/dir', roots: '', contact: '' }
const identities = async () => ['authority.test']

test('many records, long ones and control characters make a short sentence of plain text', async () => {
  const hostile = Array.from({ length: 8 }, (_, at) => issueRecord(`\u0007\u001b[31m\nfirst${at}.test${'x'.repeat(100)}`))
  await using names = await startNameServer(() => hostile)
  const rules = createCertificateRules(authority, [names.address], { identities: async () => [`a\u0000${'u'.repeat(60_000)}`] })
  const sentence = (await rules.refusal('shop.test')) ?? ''
  expect(sentence).toMatch(/^The CAA records of shop\.test in DNS allow only .*first0\.test/)
  expect(sentence).not.toMatch(/\p{C}/u)
  expect(sentence.length).toBeLessThan(800)
})

test('a name of many labels whose name server takes its time is not waited for without end', async () => {
  await using names = await startNameServer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return []
  })
  const rules = createCertificateRules(authority, [names.address], { identities, patienceMs: 500 })
  expect(await rules.refusal(`${'a.'.repeat(120)}test`)).toBe(null)
  // Ten tenths of a second would fit if each answer were as quick as it may be: most labels are never asked about.
  expect(names.asked()).toBeLessThan(10)
})
