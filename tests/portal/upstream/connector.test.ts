import { once } from 'node:events'
import { connect } from 'node:net'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { createConnector, type Resolve } from '@/lib/portal/upstream/connector'
import { getSettings } from '@/lib/settings/settings'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** Calls through a connector whose names are resolved by the test; the problem's name, or the status. */
async function callThrough(origin: string, resolve: Resolve, trusted = false, outsideOnly = false): Promise<string | number> {
  const agent = new Agent({ connect: createConnector({ origin, basePath: '', trusted, outsideOnly }, resolve) })
  try {
    return (await request(`${origin}/servers/`, { dispatcher: agent, headers: { authorization: 'Bearer x' } })).statusCode
  } catch (error) {
    return error instanceof Error ? error.name : 'unknown'
  } finally {
    await agent.destroy()
  }
}

const answering = (...lists: string[][]): Resolve & { asked: () => number } => {
  let asked = 0
  const resolve: Resolve = (_host, answer) => {
    const addresses = lists[Math.min(asked, lists.length - 1)] ?? []
    asked += 1
    setImmediate(() =>
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    )
  }
  return Object.assign(resolve, { asked: () => asked })
}

function allowing(...entries: string[]) {
  const settings = getSettings()
  const before = settings.allowedPrivateUpstreams
  settings.allowedPrivateUpstreams = entries
  return { [Symbol.dispose]: () => Object.assign(settings, { allowedPrivateUpstreams: before }) }
}

test('security 31: a name that resolves to loopback, private or metadata addresses is not connected to', async () => {
  await using upstream = await startUpstream()
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', 'fd00:ec2::254', '0.0.0.0']) {
    for (const scheme of ['http', 'https']) {
      expect(await callThrough(`${scheme}://rebind.example:${upstream.port}`, answering([address])), address).toBe('AddressRefused')
    }
  }
  expect([upstream.calls, upstream.sockets]).toEqual([[], 0])
})

test('security 31: a name that resolves to public and private addresses, in any order and family, is refused', async () => {
  await using upstream = await startUpstream()
  const mixes = [
    ['93.184.215.14', '127.0.0.1'],
    ['127.0.0.1', '93.184.215.14'],
    ['2606:2800:21f::1', '127.0.0.1'],
    ['93.184.215.14', '::1'],
  ]
  for (const mix of mixes) expect(await callThrough(`https://rebind.example:${upstream.port}`, answering(mix))).toBe('AddressRefused')
  expect(upstream.sockets).toBe(0)
})

test('security 31: the checked address is the one connected to; the name is resolved once per connection', async () => {
  await using upstream = await startUpstream()
  using _settings = allowing('127.0.0.1')
  // Would a second question be asked, its answer would lead to a port where nobody is.
  const resolve = answering(['127.0.0.1'], ['127.0.0.2'])
  expect(await callThrough(`http://rebind.example:${upstream.port}`, resolve)).toBe(401)
  expect(resolve.asked()).toBe(1)
  expect(upstream.calls[0]?.headers.host).toBe(`rebind.example:${upstream.port}`)
})

test('security 31: each new connection is checked again', async () => {
  await using upstream = await startUpstream()
  using _settings = allowing('127.0.0.1')
  const resolve = answering(['127.0.0.1'], ['127.0.0.2'])
  const origin = `http://rebind.example:${upstream.port}`
  expect(await callThrough(origin, resolve)).toBe(401)
  expect(await callThrough(origin, resolve)).toBe('AddressRefused')
})

test('security 31: literal addresses are checked although no lookup happens for them', async () => {
  await using upstream = await startUpstream()
  const never: Resolve = () => {
    throw new Error('A literal address was looked up.')
  }
  for (const host of ['127.0.0.1', '[::ffff:7f00:1]', '[::1]']) {
    expect(await callThrough(`http://${host}:${upstream.port}`, never), host).toBe('AddressRefused')
    expect(await callThrough(`https://${host}:${upstream.port}`, never), host).toBe('AddressRefused')
  }
  expect(upstream.sockets).toBe(0)
  expect(await callThrough(upstream.origin, never, true)).toBe(401)
})

test('security 31: what the settings permit is refused where only the public internet is allowed, also when the answer changes', async () => {
  await using upstream = await startUpstream()
  using _settings = allowing('127.0.0.0/8', 'rebind.example')
  for (const scheme of ['http', 'https']) {
    const origin = `${scheme}://rebind.example:${upstream.port}`
    const resolve = answering(['93.184.215.14'], ['127.0.0.1'])
    // Whoever checked the name before saw a public address.
    resolve('rebind.example', () => {})
    expect(await callThrough(origin, resolve, false, true)).toBe('AddressRefused')
    expect(await callThrough(`${scheme}://127.0.0.1:${upstream.port}`, resolve, false, true)).toBe('AddressRefused')
    expect(resolve.asked()).toBe(2)
  }
  expect(upstream.sockets).toBe(0)
  expect(await callThrough(`http://rebind.example:${upstream.port}`, answering(['127.0.0.1']))).toBe(401)
})

test('security 33: a public name over plain http is not connected to', async () => {
  expect(await callThrough('http://plain.example', answering(['93.184.215.14']))).toBe('AddressRefused')
})

test('a name without addresses is refused', async () => {
  expect(await callThrough('https://nowhere.example', answering([]))).toBe('AddressRefused')
})

test('the second address of a name is tried if the first refuses', async () => {
  await using upstream = await startUpstream()
  using _settings = allowing('127.0.0.0/8')
  // 127.0.0.9 refuses, for the upstream listens on 127.0.0.1 alone.
  const probe = connect(upstream.port, '127.0.0.9')
  await expect(once(probe, 'connect')).rejects.toThrow('ECONNREFUSED')
  expect(await callThrough(`http://two.example:${upstream.port}`, answering(['127.0.0.9', '127.0.0.1']))).toBe(401)
})
