import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { Server } from 'node:net'
import type { SecureVersion } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parseSettings } from '@/lib/settings/settings'
import { createAuthority, type Leaf } from './certificates'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Calls the origins from a process that trusts the authority. */
async function callAll(authorityFile: string, origins: readonly string[]): Promise<unknown[]> {
  const script = ['--conditions=react-server', '--import', 'tsx', 'tests/support/tls-caller-process.ts']
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.1,::1' }
  const { stdout } = await promisify(execFile)(process.execPath, [...script, ...origins], {
    cwd: root,
    env,
  })
  return JSON.parse(stdout)
}

function serve() {
  const requests: string[] = []
  const servers: Server[] = []
  const answer: RequestListener = (request, response) => {
    requests.push(request.headers.authorization ?? '')
    response.setHeader('content-type', 'application/json').end('{"success":true,"items":[]}')
  }
  const open = async (server: Server, scheme: string) => {
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    const address = server.address()
    return `${scheme}://localhost:${typeof address === 'object' && address ? address.port : 0}`
  }
  return {
    requests,
    secure: (leaf: Leaf, versions: { minVersion?: SecureVersion; maxVersion?: SecureVersion; ciphers?: string } = {}) =>
      open(createServer({ ...leaf, ...versions }, answer), 'https'),
    plain: () => open(createPlainServer(answer), 'https'),
    [Symbol.dispose]: () => {
      for (const server of servers) server.close()
    },
  }
}

test('security 33: an expired, not yet valid, foreign, self-signed or outdated certificate or version is insecure, and no key is sent', async () => {
  using authority = createAuthority()
  using server = serve()
  const [past, yesterday, future, farFuture] = ['20200101000000Z', '20200201000000Z', '20400101000000Z', '20410101000000Z']
  const good = authority.issue('good', 'localhost', past, future)
  const outdated = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const
  const origins = {
    good: await server.secure(good),
    'TLS 1.2': await server.secure(good, { maxVersion: 'TLSv1.2' }),
    expired: await server.secure(authority.issue('expired', 'localhost', past, yesterday)),
    'not yet valid': await server.secure(authority.issue('early', 'localhost', future, farFuture)),
    'wrong name': await server.secure(authority.issue('other', 'other.example', past, future)),
    'self-signed': await server.secure(authority.selfSign('self', 'localhost')),
    'TLS 1.1': await server.secure(good, outdated),
    'no TLS at all': await server.plain(),
  }
  const replies = await callAll(authority.file, Object.values(origins))
  const insecure = { kind: 'failed', problem: expect.objectContaining({ code: 'upstream_insecure' }), sent: false }
  Object.keys(origins).forEach((name, index) => {
    expect(replies[index], name).toEqual(index < 2 ? expect.objectContaining({ kind: 'answer', status: 200 }) : insecure)
  })
  expect(server.requests).toEqual(['Bearer gh_tls-caller-key', 'Bearer gh_tls-caller-key'])
})

test('security 33: with certificate checks disabled in the environment the settings are refused', () => {
  expect(() => parseSettings({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, root)).toThrow(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off.',
  )
})
