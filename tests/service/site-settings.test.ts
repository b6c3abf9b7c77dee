/** Reading the settings of a site makes its server ask the site's names over the network: once for everybody who asks meanwhile. */
import { expect, test } from 'vitest'
import type { CertificateRules } from '@/lib/service/certificate-rules'
import type { Fleet } from '@/lib/service/machines/fleet'
import type { Machine } from '@/lib/service/machines/machine'
import type { NameCheck } from '@/lib/service/machines/sites'
import type { Call, Service } from '@/lib/service/routes/call'
import { readSettings } from '@/lib/service/routes/site-settings'
import { createShared } from '@/lib/service/shared'
import type { MachineRow } from '@/lib/service/store/machines'

test('simultaneous readers of the settings share one check of the names, and the next one starts another', async () => {
  let checks = 0
  const answers: ((found: NameCheck[]) => void)[] = []
  const checkNames = () => {
    checks += 1
    return new Promise<NameCheck[]>((resolve) => answers.push(resolve))
  }
  const site = { id: 's', name: 'n', domain: 'one.test', state: 'ready', aliases: [], machine: { provider: 'ssh' } }
  const service = {
    store: { db: { site: { findFirst: async () => site } } },
    fleet: {
      machine: () => ({ sites: { checkNames, facts: async () => new Map() } }) as unknown as Machine,
    } as unknown as Fleet<MachineRow>,
    certificateRules: { refusal: async () => null, refusals: async () => [] } satisfies CertificateRules,
    siteFacts: createShared(0),
    nameChecks: createShared(0),
  } as unknown as Service
  const read = () => readSettings({ service, accountId: 'a', input: { site_id: 's' } } as unknown as Call<never>)
  const readers = Array.from({ length: 20 }, read)
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  for (const answer of answers) answer([{ name: 'one.test', result: 'ready', reason: '' }])
  await Promise.all(readers)
  expect(checks).toBe(1)
  const another = read()
  await expect.poll(() => checks).toBe(2)
  answers.at(-1)?.([])
  await another
})
