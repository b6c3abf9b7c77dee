/** The sandbox keeps the promises that real machines are held to. */
import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import { openTestService } from '../support/service'
import { serverPromises } from './servers'

test.each(serverPromises)('sandbox: $title', async ({ prove }) => {
  await using service = await openTestService({ sandboxPaceMs: 40 })
  await prove({
    baseUrl: service.baseUrl,
    key: service.key,
    findMachine: async () => ({ provider: 'sandbox', host: `${randomUUID()}.test`, port: '22', user: 'root', pass: 'let me in, please' }),
    unreachable: { host: 'unreachable.test', port: '22' },
    wrongPass: 'wrong',
  })
})
