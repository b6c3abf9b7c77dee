/** A login has its own time limit, separate from the one for connecting to the host. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { connect } from '@/lib/service/ssh/connect'
import { createOwnKey } from '@/lib/service/ssh/private-key'

/** An SSH server that answers each login after so many ms, with the given answer. */
async function startSlow(afterMs: number, answer: 'accept' | 'reject' | 'close') {
  const clients = new Set<{ end(): void }>()
  const server = new ssh2.Server({ hostKeys: [createOwnKey().privateKey], banner: 'Closed for repairs' }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('authentication', (attempt) => {
      if (attempt.method === 'none') return attempt.reject(['password'])
      setTimeout(() => (answer === 'close' ? client.end() : attempt[answer]()), afterMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end()
      server.close()
    },
  }
}

const login = { user: 'robin', password: 'p' }

test('a login may take longer than connecting, and so may its refusal', async () => {
  await using accepting = await startSlow(700, 'accept')
  const connection = await connect(accepting.address, login, undefined, { reachMs: 500, loginMs: 5_000 })
  expect(connection.isOpen()).toBe(true)
  await connection.end()
  await using rejecting = await startSlow(700, 'reject')
  const refused = connect(rejecting.address, login, undefined, { reachMs: 500, loginMs: 5_000 })
  await expect(refused).rejects.toMatchObject({ problem: { code: 'login_failed' } })
})

test('an endless login is stopped and named, and one that the host ends is reported with the host’s message', async () => {
  await using slow = await startSlow(10_000, 'accept')
  await expect(connect(slow.address, login, undefined, { reachMs: 2_000, loginMs: 1_000 })).rejects.toMatchObject({
    problem: { code: 'too_slow', sentence: expect.stringMatching(/did not complete the login of robin within 1 second.*PAM/) },
  })
  await using closing = await startSlow(0, 'close')
  await expect(connect(closing.address, login, undefined)).rejects.toMatchObject({
    problem: { code: 'login_failed', sentence: 'The server closed the login of robin. It said: Closed for repairs' },
  })
})
