import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { demandHttps } from '@/lib/portal/request/https-only'

test('browsers are told to come by https alone by every answer, once that is demanded and not before', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/' ? 200 : 404).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).headers.get('strict-transport-security')
  expect(await ask('/')).toBeNull()
  demandHttps()
  expect(await ask('/')).toBe('max-age=31536000')
  expect(await ask('/absent')).toBe('max-age=31536000')
  server.close()
})
