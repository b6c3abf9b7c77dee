/** A login shell that runs nothing may exit before it receives a command: its exit code and output are still reported. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { openChannel } from '@/lib/service/ssh/channel'
import { connect } from '@/lib/service/ssh/connect'
import { createOwnKey } from '@/lib/service/ssh/private-key'
import { executeAlone } from '@/lib/service/ssh/sessions'

/** An SSH server whose programs all exit immediately with 1, after one line. */
async function startShortShell() {
  const server = new ssh2.Server({ hostKeys: [createOwnKey().privateKey] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (attempt) => attempt.accept())
    client.on('session', (accept) =>
      accept().on('exec', (accept) => {
        const stream = accept()
        stream.exit(1)
        stream.end('This account is currently not available.\n')
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a shell’s last output is reported however early it exits', async () => {
  await using address = await startShortShell()
  const connection = await connect(address, { user: 'robin', password: 'p' }, undefined)
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const channel = await openChannel(executeAlone(connection), 'itself')
    // As long as a busy process takes until its next step.
    if (attempt % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 2))
    await expect(channel.run({ script: 'true' }), `attempt ${attempt}`).rejects.toMatchObject({
      problem: {
        code: 'login_failed',
        sentence: expect.stringMatching(/It said: This account is currently not available\. .*login shell/),
      },
    })
  }
  await connection.end()
})
