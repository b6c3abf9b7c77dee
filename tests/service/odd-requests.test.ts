/** Requests that no client of the interface sends: refused, without a stack trace and without a log line at level error. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { log } from '@/lib/log'
import { sendRaw } from '../support/raw-request'
import { openTestService, type TestService } from './support/service'

const portOf = ({ baseUrl }: TestService): number => Number(new URL(baseUrl).port)

/** Adds one `Host:` header unless `headers` contain their own. */
const send = (service: TestService, first: string, ...headers: string[]) => {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: 127.0.0.1']
  const head = [`${first} HTTP/1.1`, ...host, `Authorization: Bearer ${service.key}`, 'Connection: close', ...headers, '', ''].join('\r\n')
  return sendRaw(portOf(service), head)
}

test.each([
  'TRACE /servers/',
  'CONNECT 127.0.0.1:22',
  'OPTIONS /servers/',
  'PROPFIND /servers/',
  'OPTIONS *',
  'WHATEVER /servers/',
  'GET //',
  'GET /%',
  'GET /%ff',
  'GET /\\',
  'GET /servers/%ff/summary',
  'GET http://evil/servers/',
  `GET /${'x'.repeat(100_000)}`,
])('security 24: the service answers %s with 4xx and no stack trace', async (first) => {
  await using service = await openTestService()
  const logged = vi.spyOn(log, 'error').mockClear()
  const { status, text } = await send(service, first, 'X-Secret: canary')
  expect([first.slice(0, 40), status]).toEqual([first.slice(0, 40), expect.toSatisfy((code: number) => code >= 400 && code < 500)])
  expect(text).not.toMatch(/canary|\n {4}at /)
  expect(logged).not.toHaveBeenCalled()
})

test('security 24: the service answers two Host headers with 400', async () => {
  await using service = await openTestService()
  expect((await send(service, 'GET /servers/', 'Host: 127.0.0.1', 'Host: evil.example')).status).toBe(400)
})

test('security 28: a body sent to the service too slowly is answered 408 after 30 seconds', async () => {
  await using service = await openTestService()
  const logged = vi.spyOn(log, 'error').mockClear()
  let over = false
  async function* slowly() {
    while (!over) {
      await delay(500)
      yield Buffer.from('x')
    }
  }
  const head = `POST /servers/create HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: 1000\r\n\r\n`
  const { status, tookMs } = await sendRaw(portOf(service), head, slowly())
  over = true
  expect(status).toBe(408)
  expect(tookMs).toBeGreaterThan(29_000)
  expect(logged).not.toHaveBeenCalled()
}, 60_000)
