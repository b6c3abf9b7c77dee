/** The form of a new site in a real browser: where its domain points, and the room of its server. */
import { expect, test } from 'vitest'
import { addressRecord, startNameServer } from '../service/support/name-server'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'

const patience = { timeout: 40_000 }

test('the form says where the domain points once it is typed, and how much room the server has', async () => {
  const here = addressRecord(192, 0, 2, 10)
  const elsewhere = addressRecord(198, 51, 100, 7)
  const records: Readonly<Record<string, ReturnType<typeof addressRecord>[]>> = {
    'here.example': [here],
    'both.example': [here, elsewhere],
    'cdn.example': [elsewhere],
  }
  await using names = await startNameServer((name, type) => (type === 1 ? (records[name] ?? []) : []))
  await using visit = await visitForeign({ extensions: true }, { DNS_SERVERS: names.address })
  const { page, upstream } = visit
  for (const server of upstream.model.servers.values()) {
    server.state = 'ready'
    server.listed = { ip: '192.0.2.10' }
  }
  const { origin } = new URL(visit.url)
  // The service is asked for its servers again.
  await page.goto(`${origin}/servers`)
  await page.getByText('192.0.2.10').first().waitFor(patience)
  await page.goto(`${origin}/sites/new`)
  await page
    .getByText(/ free( of .*)?\./)
    .first()
    .waitFor(patience)
  const said: readonly (readonly [string, RegExp])[] = [
    ['here.example', /^here\.example points to foreign-01 \(192\.0\.2\.10\)\.$/],
    ['both.example', /and also to 198\.51\.100\.7\./],
    ['cdn.example', /^cdn\.example points to 198\.51\.100\.7, not to foreign-01/],
    ['nowhere.example', /^nowhere\.example isn’t in the DNS yet\./],
  ]
  for (const [domain, sentence] of said) {
    await page.getByLabel('Domain').fill(domain)
    await page.getByText(sentence).waitFor(patience)
    expect(await faultsInAllLooks(page)).toEqual([])
  }
  const asked = names.asked()
  await page.getByLabel('Domain').fill('nowhere')
  await expect.poll(() => page.getByText(/isn’t in the DNS/).count(), patience).toBe(0)
  expect(names.asked()).toBe(asked)
  expect(visit.visitor.complaints).toEqual([])
})
