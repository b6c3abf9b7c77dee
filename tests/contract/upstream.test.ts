import { expect, test } from 'vitest'
import { decodeAnswer } from '@/lib/contract/answer'
import type { ProgressEvent } from '@/lib/contract/events'
import { contract, extensionOperations, interfaceOperations as operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { encodeRequest } from '@/lib/contract/request'
import { createStreamReader } from '@/lib/contract/stream'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'
import { type Variant, variants } from '@/tests/support/upstream/variants'

const { servers, sites, mail, firewall, users } = contract

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHd0DyWLPmZ87RwxlcVdsoS3CrMzaayGI7RQBbnC+JMb kim@laptop'

type Values = Record<string, unknown>

/** Sends a request as the portal would, bare of all its care. */
function send(upstream: Upstream, operation: Operation, input: Values, headers: Record<string, string> = {}) {
  const request = encodeRequest(operation, input as never, { extensions: upstream.model.extensions })
  return fetch(upstream.origin + request.path, {
    method: request.method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${upstream.key}`,
      ...(request.contentType && { 'content-type': request.contentType }),
      ...headers,
    },
    ...(request.body !== undefined && { body: request.body }),
  })
}

async function ask<O extends Operation>(upstream: Upstream, operation: O, input: Values = {}) {
  const response = await send(upstream, operation, input)
  const { status, headers } = response
  const body = await response.text()
  return decodeAnswer(operation, { status, contentType: headers.get('content-type'), body, retryAfter: headers.get('retry-after') })
}

async function readInstall(upstream: Upstream, serverId: string, headers: Record<string, string> = {}): Promise<ProgressEvent[]> {
  const response = await send(upstream, servers.install, { server_id: serverId }, headers)
  const reader = createStreamReader()
  const events: ProgressEvent[] = []
  try {
    for await (const chunk of response.body ?? []) events.push(...reader.push(chunk))
  } catch {
    // A stream cut in the middle ends here; what came before it counts.
  }
  return [...events, ...reader.end()]
}

/** An input for any operation, on the upstream's one server and site. */
function inputFor(operation: Operation, serverId: string, siteId: string): Values {
  const fields = Object.entries(operation.fields).flatMap(([name, field]) => {
    if (field.extension) return []
    return [[name, field.kind === 'flag' ? true : field.kind === 'list' ? ['one', 'two'] : `some ${name}`]]
  })
  const valid = { app: 'wordpress', destination: 'someone@example.org', key: publicKey }
  return { server_id: serverId, site_id: siteId, ...Object.fromEntries(fields), ...valid }
}

async function startFilled(options: Parameters<typeof startUpstream>[0] = {}) {
  const upstream = await startUpstream({ msPerLine: 1, ...options })
  return Object.assign(upstream, { serverId: upstream.addServer(), siteId: upstream.addSite() })
}

test.each([false, true])('every operation is answered and understood, with extensions: %s', async (extensions) => {
  await using upstream = await startFilled({ extensions })
  const spoken = [...operations, ...(extensions ? extensionOperations : [])]
  const deletesLast = spoken.toSorted((one, other) => Number(one.id.endsWith('s.delete')) - Number(other.id.endsWith('s.delete')))
  const answered = deletesLast.filter((candidate) => !candidate.stream)
  expect(answered.length).toBeGreaterThanOrEqual(47)
  for (const operation of answered) {
    const serverId = [...upstream.model.servers.keys()].at(-1) ?? upstream.addServer()
    const siteId = [...upstream.model.sites.keys()].at(-1) ?? upstream.addSite()
    expect(await ask(upstream, operation, inputFor(operation, serverId, siteId)), operation.id).toMatchObject({ ok: true })
  }
  expect(upstream.calls).toHaveLength(answered.length)
})

const streamOnly: readonly Variant[] = [
  'no-blank-lines',
  'many-data-lines',
  'crlf',
  'cr',
  'comments',
  'msg',
  'text-lines',
  'bare-data',
  'progress',
]

/** They tell less. */
const silent: readonly Variant[] = ['no-parts']

test.each(variants.filter((variant) => ![...streamOnly, ...silent].includes(variant)))(
  'answers in the variant %s mean the same',
  async (variant) => {
    await using upstream = await startFilled()
    upstream.addServer({ cronjobs: [], users: [], rules: [], messages: [], backups: [], id: 'bare' })
    const reads = operations.filter(({ effect }) => effect === 'read')
    for (const operation of reads) {
      for (const serverId of [upstream.serverId, 'bare']) {
        const input = inputFor(operation, serverId, upstream.siteId)
        const plain = await ask(upstream, operation, input)
        upstream.set(variant)
        const varied = await ask(upstream, operation, input)
        upstream.clear()
        if (variant === 'no-log-names' && operation.id === 'logs.fetch') expect(varied).toMatchObject({ ok: true, data: { logs: [] } })
        else expect(varied, operation.id).toEqual(plain)
      }
    }
  },
)

test.each(['bare-id', 'numbers', 'bare-objects', 'bare-item'] as const)(
  'a server created in the variant %s is recognised by its id',
  async (variant) => {
    await using upstream = await startFilled()
    upstream.set(variant)
    const made = await ask(upstream, servers.create, inputFor(servers.create, '', ''))
    expect(made).toMatchObject({ ok: true, data: { items: [{ id: [...upstream.model.servers.keys()].at(-1) }] } })
  },
)

test('a site created by a service with extensions is recognised by its id, also as site_id', async () => {
  await using upstream = await startFilled({ extensions: true })
  upstream.set('site-id')
  const made = await ask(upstream, sites.create, inputFor(sites.create, '', ''))
  expect(made).toMatchObject({ ok: true, data: { id: [...upstream.model.sites.keys()].at(-1) } })
})

test('the fields arrive as a service written in PHP reads them', async () => {
  await using upstream = await startFilled()
  await ask(upstream, mail.delete, { server_id: upstream.serverId, ids: ['a', 'b'] })
  await ask(upstream, firewall.toggle, { server_id: upstream.serverId, status: false })
  await ask(upstream, users.save, { server_id: upstream.serverId, user: 'å & b', pass: '100%+ \n' })
  expect(upstream.calls.map(({ fields }) => fields)).toEqual([{ ids: ['a', 'b'] }, { status: '0' }, { user: 'å & b', pass: '100%+ \n' }])
})

test.each(['no-blank-lines', 'many-data-lines', 'crlf', 'cr', 'comments', 'msg', 'text-lines', 'bare-data', 'progress'] as const)(
  'an installation told in the variant %s gives every line',
  async (variant) => {
    await using upstream = await startFilled({ installLines: 6 })
    upstream.set(variant)
    const events = await readInstall(upstream, upstream.serverId)
    expect(events.map(({ message }) => message)).toEqual(Array.from({ length: 6 }, (_, index) => `Line ${index + 1} of 6: größer — ✓`))
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
  },
)

test('all manners of a stream at once are still understood', async () => {
  await using upstream = await startFilled({ installLines: 6 })
  for (const variant of ['no-blank-lines', 'many-data-lines', 'crlf', 'comments', 'msg', 'progress'] as const) upstream.set(variant)
  const events = await readInstall(upstream, upstream.serverId)
  expect(events.at(-1)).toEqual({ id: 6, message: 'Line 6 of 6: größer — ✓', progress: 100 })
})

test('a plain service begins an installation at every GET; one with extensions resumes', async () => {
  await using plain = await startFilled()
  await readInstall(plain, plain.serverId)
  await readInstall(plain, plain.serverId, { 'last-event-id': '3' })
  expect(plain.installStarts(plain.serverId)).toBe(2)

  await using ours = await startFilled({ extensions: true })
  const none = await send(ours, servers.install, { server_id: ours.serverId }, { 'last-event-id': '0' })
  expect(none.status).toBe(404)
  const whole = await readInstall(ours, ours.serverId)
  expect(whole.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(whole.at(-1)).toMatchObject({ status: 'done', progress: 100 })
  expect(await readInstall(ours, ours.serverId, { 'last-event-id': '7' })).toEqual(whole.slice(7))
  expect(ours.installStarts(ours.serverId)).toBe(1)
  expect((await readInstall(ours, ours.serverId)).map(({ id }) => id)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
})

test('a stream cut in the middle loses nothing that came before, and never says done', async () => {
  await using upstream = await startFilled({ extensions: true, cutAfter: 4 })
  upstream.set('cut-in-line', { times: 1 })
  const events = await readInstall(upstream, upstream.serverId)
  expect(events.slice(0, 4).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect(events.every(({ status }) => status !== 'done')).toBe(true)
  expect((await readInstall(upstream, upstream.serverId, { 'last-event-id': '4' })).at(-1)).toMatchObject({ status: 'done' })
  expect(upstream.installStarts(upstream.serverId)).toBe(1)
})

test.each([
  ['html', 'upstream_not_understood'],
  ['empty', 'upstream_not_understood'],
  ['500-html', 'upstream_failed'],
  ['500-json', 'upstream_failed'],
  ['502-html', 'upstream_failed'],
  ['success-false', 'upstream_failed'],
  ['success-word', 'upstream_not_understood'],
  ['success-absent', 'upstream_not_understood'],
  ['error-alone', 'upstream_failed'],
  ['wrong-schema', 'upstream_not_understood'],
  ['unauthorized', 'operation_refused'],
  ['forbidden', 'operation_refused'],
  ['rate-limited', 'upstream_rate_limited'],
  ['redirect-301', 'upstream_redirected'],
  ['redirect-303', 'upstream_redirected'],
  ['redirect-308', 'upstream_redirected'],
  ['echo-key', 'upstream_failed'],
  ['truncated-json', 'upstream_not_understood'],
  ['deep-nesting', 'upstream_not_understood'],
  ['repeated-names', 'upstream_not_understood'],
  ['proto-name', 'upstream_not_understood'],
] as const)(
  'security 36: the fault %s is understood as %s by every read, and nothing of it but a reason is repeated',
  async (fault, code) => {
    await using upstream = await startFilled()
    upstream.set(fault)
    // Every key may list the servers.
    const codeOfList = code === 'operation_refused' ? 'key_rejected' : code
    for (const operation of operations.filter(({ effect }) => effect === 'read')) {
      const outcome = await ask(upstream, operation, inputFor(operation, upstream.serverId, upstream.siteId))
      if (fault === 'wrong-schema' && outcome.ok) expect(['logs.fetch', 'sites.download']).toContain(operation.id)
      else
        expect(outcome, operation.id).toMatchObject({ ok: false, problem: { code: operation.id === 'servers.list' ? codeOfList : code } })
      if (fault !== '500-json') expect(JSON.stringify(outcome)).not.toMatch(/<|api\.php/)
      expect(JSON.stringify(outcome)).not.toContain(upstream.key)
    }
  },
)

test('a fault can be for one path and one time; a request is recorded whether it was answered or not', async () => {
  await using upstream = await startFilled()
  const path = `/servers/${upstream.serverId}/delete`
  upstream.set('reset-before', { path, times: 1 })
  const input = { server_id: upstream.serverId }
  await expect(send(upstream, servers.delete, input)).rejects.toThrow()
  expect(upstream.model.servers.size).toBe(1)
  upstream.set('reset-after', { path, times: 1 })
  await expect(send(upstream, servers.delete, input)).rejects.toThrow()
  expect(upstream.model.servers.size).toBe(0)
  expect(await ask(upstream, servers.list)).toMatchObject({ ok: true, data: { items: [] } })
  expect(upstream.callsTo('GET', path)).toHaveLength(2)
})

test('a huge body stops when the reader has had enough', async () => {
  await using upstream = await startFilled()
  for (const fault of ['huge-body', 'long-line'] as const) {
    upstream.clear()
    upstream.set(fault)
    const response = await send(upstream, servers.list, {})
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  await expect.poll(() => upstream.sockets, { timeout: 5_000 }).toBe(0)
  expect(upstream.bytesSent).toBeLessThan(60 * 1024 * 1024)
})

test('a gzip bomb is small on the wire and large once unpacked', async () => {
  await using upstream = await startFilled({ hugeBytes: 5 * 1024 * 1024 })
  upstream.set('gzip-bomb')
  const response = await send(upstream, servers.list, {})
  expect((await response.text()).length).toBeGreaterThan(5 * 1024 * 1024)
})

test('slow heads and bodies, broken lengths and silence are what they say', async () => {
  await using upstream = await startFilled({ msPerByte: 1 })
  upstream.set('slow-head', { times: 1 })
  expect(await ask(upstream, servers.list)).toMatchObject({ ok: true })
  upstream.set('slow-body', { times: 1 })
  expect(await ask(upstream, servers.list)).toMatchObject({ ok: true })
  upstream.set('wrong-length', { times: 1 })
  await expect(ask(upstream, servers.list)).rejects.toThrow()
  upstream.set('hang', { times: 1 })
  const hanging = fetch(upstream.origin, { signal: AbortSignal.timeout(100) })
  await expect(hanging).rejects.toThrow()
})

test('a request without the right key is refused and recorded', async () => {
  await using upstream = await startFilled()
  const response = await fetch(`${upstream.origin}/servers/`, { headers: { authorization: 'Bearer wrong' } })
  expect(response.status).toBe(401)
  expect(upstream.calls).toMatchObject([{ authorized: false, method: 'GET', path: '/servers/' }])
})
