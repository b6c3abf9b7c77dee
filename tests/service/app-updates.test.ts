/** What the update APIs of apps offer, asked in the background. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { compareVersions, createAppUpdates } from '@/lib/service/app-updates'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'

const entryOf = (name: string) => {
  const entry = readCatalogue().find(({ app }) => app === name)
  if (!entry) throw new Error(name)
  return entry
}

/** A served update API. asked: the paths of all requests. */
async function serve(answer: (path: string) => { status?: number; body: string }) {
  const asked: string[] = []
  const server = createServer(({ url = '' }, reply) => {
    asked.push(url)
    const { status = 200, body } = answer(url)
    reply.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/updates` }
}

const on = (php: string) => ({ php, simulated: false })
const wordpress = { app: 'wordpress', version: '6.1.9', build: '' }
const offers = JSON.stringify({ offers: [{ response: 'upgrade', version: '6.8.3' }, { version: '6.9-RC1' }, { version: '6.1.10' }] })

test('an update is not known at first, then it is, and WordPress is asked once for all readers', async () => {
  const { asked, address } = await serve(() => ({ body: offers }))
  const updates = createAppUpdates({ address })
  const read = () => updates.find(entryOf('wordpress'), wordpress, on('8.2'))
  expect([read(), read()]).toEqual([undefined, undefined])
  await expect.poll(read).toBe('6.8.3')
  expect(asked).toEqual(['/updates/wordpress/?version=6.1.9&php=8.2&locale=en_US'])
})

test('there is no update for the newest version', async () => {
  const { address } = await serve(() => ({ body: offers }))
  const updates = createAppUpdates({ address })
  await expect.poll(() => updates.find(entryOf('wordpress'), { ...wordpress, version: '6.8.3' }, on(''))).toBe('')
})

test('DokuWiki is asked by its build; candidates are no updates', async () => {
  const body = 'New release candidate: rc2025-01-01\n%\nNew release 2024-02-06b "Kaos" is available. See #release_2024-02-06b.\n'
  const { asked, address } = await serve(() => ({ body }))
  const updates = createAppUpdates({ address })
  const found = { app: 'dokuwiki', version: '2022-07-31b', build: '53.1' }
  await expect.poll(() => updates.find(entryOf('dokuwiki'), found, on('8.2'))).toBe('2024-02-06b')
  expect(asked).toEqual(['/updates/dokuwiki/53.1'])
})

test('an API that fails or answers nonsense leaves the update unknown, is left alone for a while, and what is known stays', async () => {
  let now = 0
  let body = 'no JSON'
  const { asked, address } = await serve(() => ({ body }))
  const updates = createAppUpdates({ address, now: () => now })
  const read = () => updates.find(entryOf('wordpress'), wordpress, on('8.2'))
  read()
  await expect.poll(() => asked.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(read()).toBe(undefined)
  expect(asked).toHaveLength(1)
  now += 11 * 60_000
  body = offers
  await expect.poll(read).toBe('6.8.3')
  now += 13 * 60 * 60_000
  body = '{}'
  expect(read()).toBe('6.8.3')
  await expect.poll(() => asked.length).toBe(3)
  expect(read()).toBe('6.8.3')
})

test('nobody is asked about apps of sandbox servers, unless the operator names whom', async () => {
  const { asked, address } = await serve(() => ({ body: offers }))
  const about = { php: '8.2', simulated: true }
  expect(createAppUpdates().find(entryOf('wordpress'), wordpress, about)).toBe(undefined)
  const updates = createAppUpdates({ address })
  await expect.poll(() => updates.find(entryOf('wordpress'), wordpress, about)).toBe('6.8.3')
  expect(asked).toHaveLength(1)
})

test('versions are compared by their numbers', () => {
  const sorted = ['6.1.9', '6.1.10', '6.8', '6.8.1', '10.0', '2022-07-31', '2022-07-31a', '2022-07-31b', '2024-02-06']
  expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted)
})
