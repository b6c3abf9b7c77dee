/** The package `eventsource` on the install stream: it comes back after a cut, and stops at 204. */
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { register } from '../../conformance/servers'
import { readInstall } from '../../support/caller'
import { openTestService } from '../../support/service'
import { loadPackage } from './load-package'

type Asking = (url: string | URL, init: RequestInit) => Promise<Response>
type Source = {
  readonly readyState: number
  addEventListener(kind: 'message', listener: (event: { lastEventId: string; data: string }) => void): void
  close(): void
}
type EventSourcePackage = { EventSource: { new (url: string, settings: { fetch: Asking }): Source; readonly CLOSED: number } }

const { EventSource } = await loadPackage<EventSourcePackage>('eventsource')

/** Between a client and a service; cut() breaks what is open, and later connections pass. */
async function openLine(to: string) {
  const { port, hostname } = new URL(to)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = openSocket(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('eventsource reads an install to its end through a cut, without a gap or a repeat, and stops at 204', async () => {
  await using service = await openTestService({ sandboxPaceMs: 40 })
  const { id } = await register(service, { provider: 'sandbox', host: 'stream.test', port: '22', user: 'root', pass: 'open' }, 'followed')
  await using line = await openLine(service.baseUrl)
  const asked: [lastEventId: string | null, status: number][] = []
  const ask: Asking = async (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${service.key}`)
    const response = await fetch(url, { ...init, headers })
    asked.push([headers.get('last-event-id'), response.status])
    return response
  }
  const source = new EventSource(`${line.baseUrl}/servers/${id}/install`, { fetch: ask })
  onTestFinished(() => source.close())
  const events: { id: string; status: string }[] = []
  source.addEventListener('message', ({ lastEventId, data }) => {
    events.push({ id: lastEventId, status: String((JSON.parse(data) as { status: string }).status) })
    if (events.length === 3) line.cut()
  })
  await expect.poll(() => source.readyState, { timeout: 60_000 }).toBe(EventSource.CLOSED)
  expect(events.map((event) => event.id)).toEqual(events.map((_, index) => String(index + 1)))
  expect(events.map(({ status }) => status)).toEqual([...events.slice(1).map(() => 'running'), 'done'])
  const [first, second, third, ...more] = asked
  expect([first, second?.[1], third, more]).toEqual([[null, 200], 200, [String(events.length), 204], []])
  expect(Number(second?.[0])).toBeGreaterThanOrEqual(3)
  expect(Number(second?.[0])).toBeLessThan(events.length)
  expect((await readInstall(service, id, { lastEventId: 0 })).events).toHaveLength(events.length)
})
