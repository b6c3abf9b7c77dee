/** Whether Gatehouse is ready before an upgrade: a busy machine may be late once, and is not refused for that. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { parseSettings } from '@/lib/settings/settings'
import { becomesReady } from '@/lib/upgrade/runner'

test('a portal that is ready only at the third question is ready', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(asked < 3 ? 503 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const settings = parseSettings({ PORT: String(port) }, '/nowhere')
  const place = { half: 'portal', database: settings.portalDatabase, onPostgresql: false, settings, env: {} as NodeJS.ProcessEnv } as const
  expect(await becomesReady(place)).toBe(true)
  expect(asked).toBe(3)
  server.close()
})
