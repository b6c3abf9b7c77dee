import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { peerOf } from '@/lib/portal/base/request/device'
import { forgetForwardedHeaders } from '@/lib/portal/base/request/forwarded'

test('security 12: what a client claims about its address or our host is removed before anything reads it', async () => {
  forgetForwardedHeaders([])
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  const claims = {
    'x-forwarded-for': '8.8.8.8',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'for=8.8.8.8',
    'x-real-ip': '8.8.8.8',
  }
  const seen = await fetch(`http://127.0.0.1:${port}`, { headers: claims }).then((response) => response.json())
  await new Promise((resolve) => server.close(resolve))
  expect(seen).toMatchObject({ host: `127.0.0.1:${port}`, 'x-forwarded-for': '127.0.0.1' })
  expect(JSON.stringify(seen)).not.toMatch(/8\.8\.8\.8|evil|https/)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['8.8.8.8, 192.0.2.7', 'unknown'],
  ['', 'unknown'],
])('the address %j counts as peer %j', (address, peer) => {
  expect(peerOf(address)).toBe(peer)
})
