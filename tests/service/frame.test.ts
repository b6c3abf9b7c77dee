/** Authentication, accepted requests, and the headers of every answer. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { contract, operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { problem, serviceCodes } from '@/lib/contract/problem'
import { Refused } from '@/lib/service/failure'
import { handlers } from '@/lib/service/routes/table'
import { create, register } from './conformance/servers'
import { get, post, send } from './support/caller'
import { openTestService } from './support/service'

const sandbox = { provider: 'sandbox', host: 'frame.test', port: '22', user: 'root', pass: 'open' }
const isSafe = ({ method, effect }: Operation) => method === 'GET' && effect === 'read'
const pathOf = (path: string) => path.replace(/\{\w+\}/g, 'some-id')

const badHeaders: [what: string, header: string | undefined][] = [
  ['no key', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['another scheme', 'Basic Z2g6Z2g='],
  ['an unknown key', `Bearer gh_${'A'.repeat(43)}`],
  ['two words', 'Bearer gh_one two'],
  ['a key without its scheme', `gh_${'A'.repeat(43)}`],
  ['a very long key', `Bearer ${'x'.repeat(4000)}`],
]

test.each(badHeaders)('%s gets 401 and the way to authenticate', async (_, header) => {
  await using service = await openTestService()
  const response = await fetch(`${service.baseUrl}/servers/`, { headers: header === undefined ? {} : { authorization: header } })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expect(await response.json()).toEqual({ success: false, code: 'unauthorized', error: expect.any(String) })
})

test('every answer announces the extensions and forbids caching', async () => {
  await using service = await openTestService()
  const paths = ['/servers/', '/nowhere', '/api/health', '/api/health/live', '/api/health/ready', '/openapi.json', '/servers/none/summary']
  for (const path of paths) {
    const { headers } = await get(service, path)
    expect(headers.get('gatehouse-extensions')).toBe('1')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await fetch(`${service.baseUrl}/servers/`)).headers.get('gatehouse-extensions')).toBe('1')
})

test('health and the interface’s own description need no API key', async () => {
  await using service = await openTestService()
  const health = await fetch(`${service.baseUrl}/api/health`)
  expect([health.status, await health.json()]).toEqual([200, { live: true, ready: true }])
  for (const [path, body] of [
    ['live', { live: true }],
    ['ready', { ready: true, database: true, disk: true }],
  ] as const) {
    const answer = await fetch(`${service.baseUrl}/api/health/${path}`)
    expect([answer.status, await answer.json()]).toEqual([200, body])
    const head = await fetch(`${service.baseUrl}/api/health/${path}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
  const page = await fetch(`${service.baseUrl}/openapi.json`)
  expect(await page.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), servers: [{ url: service.baseUrl }] })
  const proxied = await fetch(`${service.baseUrl}/openapi.json`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(await proxied.json()).toMatchObject({ servers: [{ url: service.baseUrl.replace('http:', 'https:') }] })
})

test('objects of another account get the same answer as unknown ones', async () => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'mine')
  const other = { baseUrl: service.baseUrl, key: await service.createKey('another account') }
  expect((await get(other, '/servers/')).body).toEqual({ success: true, items: [] })
  for (const verb of ['summary', 'install', 'delete']) {
    const theirs = await get(other, `/servers/${id}/${verb}`)
    const nobodys = await get(other, `/servers/00000000-0000-4000-8000-000000000000/${verb}`)
    expect(theirs.status).toBe(404)
    expect(theirs.body).toEqual(nobodys.body)
  }
  expect((await get(service, `/servers/${id}/summary`)).status).toBe(200)
  expect((await register(other, sandbox, 'theirs')).id).not.toBe(id)
})

test('OPTIONS and other methods never reach a handler, of any operation, and HEAD only where GET changes nothing', async () => {
  const called: string[] = []
  const spies = new Map(
    operations.map(({ id }) => [
      id,
      async () => {
        called.push(id)
        throw new Refused(problem('busy'))
      },
    ]),
  )
  await using service = await openTestService({ handlers: spies })
  const headers = { authorization: `Bearer ${service.key}` }
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
    for (const { path, method: taken } of operations) {
      if (method === 'HEAD' && operations.some((other) => other.path === path && isSafe(other))) continue
      const response = await fetch(`${service.baseUrl}${pathOf(path)}`, { method, headers })
      expect(response.status, `${method} ${path}`).toBe(405)
      expect(response.headers.get('allow'), path).toContain(taken)
    }
  }
  expect(called).toEqual([])
  const readable = operations.filter(isSafe)
  for (const { path } of readable)
    expect((await fetch(`${service.baseUrl}${pathOf(path)}`, { method: 'HEAD', headers })).status, path).toBe(409)
  expect(called).toEqual(readable.map(({ id }) => id))
})

test('HEAD is answered like GET, without the body', async () => {
  await using service = await openTestService()
  await register(service, sandbox, 'seen')
  const headers = { authorization: `Bearer ${service.key}` }
  for (const path of ['/servers/', '/sites', '/servers/none/summary', '/api/health', '/openapi.json', '/docs', '/nowhere']) {
    const [got, head] = [await fetch(service.baseUrl + path, { headers }), await fetch(service.baseUrl + path, { method: 'HEAD', headers })]
    const length = (await got.arrayBuffer()).byteLength
    const seen = [path, head.status, head.headers.get('content-type'), head.headers.get('content-length') ?? String(length)]
    expect([...seen, await head.text()]).toEqual([path, got.status, got.headers.get('content-type'), String(length), ''])
  }
  expect((await fetch(`${service.baseUrl}/servers/`, { method: 'HEAD' })).status).toBe(401)
  expect((await get(service, '/servers/x/delete', {})).headers.get('allow')).toBeNull()
  expect((await post(service, '/servers/', {})).headers.get('allow')).toBe('GET, HEAD')
})

test.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'x-unknown'])('a body encoded as %s is refused with 415', async (encoding) => {
  await using service = await openTestService()
  const body = encoding === 'gzip' ? gzipSync(new URLSearchParams(fields).toString()) : new URLSearchParams(fields).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': encoding }
  const said = await send(service, '/servers/create', body, headers)
  expect(said).toMatchObject({ status: 415, body: { success: false, code: 'unsupported_encoding' } })
  expect(said.headers.get('accept-encoding')).toBe('identity')
  expect(serviceCodes).toContain('unsupported_encoding')
  expect((await get(service, '/servers/')).body.items).toEqual([])
  expect(await send(service, '/servers/create', new URLSearchParams(fields), { 'content-encoding': 'Identity' })).toMatchObject({
    status: 200,
  })
})

test('another method of an operation’s path is 405, an unknown path 404', async () => {
  await using service = await openTestService()
  expect(await post(service, '/servers/', {})).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
  expect((await get(service, '/servers/create')).headers.get('allow')).toBe('POST')
  expect(await get(service, '/nowhere')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('the lists answer with and without the slash at the end', async () => {
  await using service = await openTestService()
  expect((await get(service, '/servers')).status).toBe(200)
  expect((await get(service, '/servers/')).status).toBe(200)
})

const fields = { dns: '', name: 'body', region: '', type: '', ...sandbox }

const bodies: [encoding: string, body: () => BodyInit, headers: Record<string, string>][] = [
  ['a form', () => new URLSearchParams(fields), {}],
  [
    'multipart',
    () => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      return form
    },
    {},
  ],
  ['JSON', () => JSON.stringify({ ...fields, port: 22 }), { 'content-type': 'application/json' }],
]

test.each(bodies)('a body may be %s', async (_, body, headers) => {
  await using service = await openTestService()
  expect(await send(service, '/servers/create', body(), headers)).toMatchObject({ status: 200, body: { success: true } })
})

const idForms: [form: string, body: string, contentType: string][] = [
  ['ids[]', 'ids[]=a&ids[]=b', 'application/x-www-form-urlencoded'],
  ['ids[0]', 'ids%5B0%5D=a&ids%5B1%5D=b', 'application/x-www-form-urlencoded'],
  ['ids twice', 'ids=a&ids=b', 'application/x-www-form-urlencoded'],
  ['a JSON array', '{"ids":["a","b"]}', 'application/json'],
  ['a JSON array named ids[]', '{"ids[]":["a","b"]}', 'application/json'],
  ['a,b', 'ids=a,b', 'application/x-www-form-urlencoded'],
  ['JSON text', 'ids=%5B%22a%22%2C%22b%22%5D', 'application/x-www-form-urlencoded'],
]

test.each(idForms)('a list may be written as %s', async (_, body, contentType) => {
  let heard: unknown
  const replaced = new Map(handlers)
  replaced.set('mail.delete', async ({ input }) => {
    heard = { ...input }
    return {}
  })
  await using service = await openTestService({ handlers: replaced })
  expect((await send(service, '/servers/m1/deletemessages', body, { 'content-type': contentType })).status).toBe(200)
  expect(heard).toEqual({ server_id: 'm1', ids: ['a', 'b'] })
})

test('a body that is too long is refused, with or without an announced length, and the service keeps running', async () => {
  await using service = await openTestService()
  const long = new Uint8Array(1_100_000).fill(97)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await send(service, '/servers/create', long, form)).toMatchObject({ status: 413, body: { code: 'too_large' } })
  const pieces = new ReadableStream({
    start(controller) {
      for (let piece = 0; piece < 11; piece += 1) controller.enqueue(long.subarray(0, 100_000))
      controller.close()
    },
  })
  const headers = { authorization: `Bearer ${service.key}`, ...form }
  const request = { method: 'POST', body: pieces, headers, duplex: 'half' } as RequestInit
  expect((await fetch(`${service.baseUrl}/servers/create`, request)).status).toBe(413)
  expect((await get(service, '/servers/')).body.items).toEqual([])
})

test('28: a hundred thousand fields and deep nesting are refused', async () => {
  await using service = await openTestService()
  const many = Array.from({ length: 100_000 }, (_, index) => `f${index}=`).join('&')
  expect((await send(service, '/servers/create', many, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(413)
  const deep = `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  expect((await send(service, '/servers/create', deep, { 'content-type': 'application/json' })).status).toBe(422)
})

test('40: fields that match both operations of a path, or neither, do nothing', async () => {
  const called: string[] = []
  const spy = (id: string) => async () => {
    called.push(id)
    return {}
  }
  const spies = new Map(operations.map(({ id }) => [id, spy(id)] as const))
  await using service = await openTestService({ handlers: spies })
  const both = { status: '1', user: 'a', pass: 'b' }
  for (const given of [both, {}, { other: '1' }, { user: 'a' }, { status: '1', user: 'a' }]) {
    expect(await post(service, '/servers/m1/savesystemuser', given)).toMatchObject({ status: 422, body: { code: 'ambiguous' } })
  }
  for (const given of [{ hostname: 'h', user: 'a', pass: 'b' }, { hostname: 'h', host_key: 'ask' }, {}]) {
    expect(await post(service, '/servers/m1/hostname', given)).toMatchObject({ status: 422, body: { code: 'ambiguous' } })
  }
  expect(called).toEqual([])
  await post(service, '/servers/m1/savesystemuser', { status: '1' })
  await post(service, '/servers/m1/savesystemuser', { user: 'a', pass: 'b' })
  await post(service, '/servers/m1/hostname', { hostname: 'h' })
  await post(service, '/servers/m1/hostname', { user: 'a', pass: 'b' })
  expect(called).toEqual(['firewall.toggle', 'users.save', 'servers.setHostname', 'servers.resetKey'])
})

test('a request with the method, path and fields of an operation reaches its handler', async () => {
  const reached: string[] = []
  const spy = (id: string) => async () => {
    reached.push(id)
    throw new Refused(problem('busy'))
  }
  await using service = await openTestService({ handlers: new Map(operations.map(({ id }) => [id, spy(id)])) })
  for (const { id, method, path, fields: names } of operations) {
    const values = Object.fromEntries(
      Object.entries(names).flatMap(([name, field]) => (field.extension ? [] : [[field.kind === 'list' ? `${name}[]` : name, '1']])),
    )
    const said = method === 'GET' ? await get(service, pathOf(path)) : await post(service, pathOf(path), values)
    expect(said, id).toMatchObject({ status: 409, body: { success: false, code: 'busy' } })
  }
  expect(reached).toEqual(operations.map(({ id }) => id))
  expect(Object.keys(contract).length).toBe(18)
})

test('an unexpected error is answered without details', async () => {
  const secret = 'the-password-in-the-message'
  const failing = new Map(handlers)
  failing.set('servers.list', async () => {
    throw new Error(`connecting with ${secret} to /root/.ssh failed`)
  })
  await using service = await openTestService({ handlers: failing })
  const { status, body } = await get(service, '/servers/')
  expect(status).toBe(500)
  expect(Object.keys(body).sort()).toEqual(['code', 'error', 'success'])
  expect(JSON.stringify(body)).not.toMatch(/password|ssh|at /)
})

const badFields: [field: string, value: string][] = [
  ['provider', 'cloud'],
  ['name', ''],
  ['name', 'two\nlines'],
  ['host', ''],
  ['host', 'a b'],
  ['host', '300.1.1.1'],
  ['host', '-oProxyCommand=x'],
  ['host', '0177.1'],
  ['user', 'root; id'],
  ['user', '-l'],
  ['port', '0'],
  ['port', '65536'],
  ['port', '22x'],
  ['port', ''],
  ['pass', ''],
  ['pass', 'two\nlines'],
  ['host_key', 'MD5:aa'],
  ['dns', 'tab\there'],
]

test.each(badFields)('the field %s may not be %j', async (field, value) => {
  await using service = await openTestService()
  const said = await create(service, { ...sandbox, name: 'checked', [field]: value })
  expect(said).toMatchObject({ status: 422, body: { code: 'invalid', fields: { [field]: expect.any(String) } } })
  expect((await get(service, '/servers/')).body.items).toEqual([])
})

test.each(['Sandbox', ' sandbox '])('the provider %j is a sandbox', async (provider) => {
  await using service = await openTestService()
  expect(await create(service, { ...sandbox, provider, name: 'simulated' })).toMatchObject({ status: 200 })
  expect((await get(service, '/servers/')).body.items).toMatchObject([{ provider: 'sandbox' }])
})

test.each(['digitalocean', 'DigitalOcean', 'digital-ocean', 'hetzner', 'AWS', 'custom', 'ssh', ''])(
  'the provider %j means a server that is reached by SSH',
  async (provider) => {
    await using service = await openTestService()
    const nowhere = { ...sandbox, provider, name: 'real', host: '127.0.0.1', port: '1' }
    expect(await create(service, nowhere)).toMatchObject({ status: 502, body: { code: 'unreachable' } })
    expect(await create(service, { ...nowhere, host: '' })).toMatchObject({ status: 422, body: { fields: { host: expect.any(String) } } })
  },
)

test.each(['sandbx', 'sandboxx', 'snadbox', 'sand', 'box', 'test', 'digitalocaen', 'none'])(
  'the provider %j is refused',
  async (provider) => {
    await using service = await openTestService()
    const refused = { status: 422, body: { fields: { provider: expect.stringMatching(/ssh.*sandbox/) } } }
    expect(await create(service, { ...sandbox, provider, name: 'unsure', host: '127.0.0.1', port: '1' })).toMatchObject(refused)
  },
)

test('an unknown provider is refused with the names of the two supported ones', async () => {
  await using service = await openTestService()
  const { body } = await create(service, { ...sandbox, provider: 'cloud', name: 'x' })
  expect((body.fields as Record<string, string>).provider).toMatch(/ssh.*sandbox/)
})
