import { expect, test } from 'vitest'
import { createCertificateRules } from '@/lib/service/certificate-rules'
import { startAuthority } from './lab/authority'

test('CAA records of a name, or of the nearest parent that has some, decide who may issue; no answer decides nothing', async () => {
  await using authority = await startAuthority({ caaIdentities: ['authority.test'] })
  const { directory, roots, dnsAddress } = authority
  const rules = createCertificateRules({ directory, roots, contact: '' }, [dnsAddress])
  await authority.addCaa('closed.test', [{ tag: 'issue', value: ';' }])
  await authority.addCaa('other.test', [{ tag: 'issue', value: 'other.example; account=1' }])
  await authority.addCaa('ours.other.test', [
    { tag: 'issue', value: 'other.example' },
    { tag: 'issue', value: 'authority.test' },
  ])
  await authority.addCaa('mail.test', [{ tag: 'iodef', value: 'mailto:a@mail.test' }])
  expect(await rules.refusal('www.other.test')).toBe(
    'The CAA records of www.other.test in DNS allow only other.example to issue certificates. Add one for authority.test, or delete them.',
  )
  expect(await rules.refusal('closed.test')).toContain('allow nobody to issue certificates')
  for (const name of ['ours.other.test', 'deep.ours.other.test', 'mail.test', 'free.test']) expect(await rules.refusal(name)).toBe(null)
  await authority.stop()
  expect(await rules.refusal('new.closed.test')).toBe(null)
  const unknown = createCertificateRules({ directory: 'https://192.0.2.1:1/', roots: '', contact: '' }, ['127.0.0.1:1'])
  expect(await unknown.refusal('closed.test')).toBe(null)
})
