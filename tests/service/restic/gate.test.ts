/** The way from restic to a target: to that alone, and only to addresses that are permitted when it connects. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { openGate } from '@/lib/service/restic/gate'
import { getSettings } from '@/lib/settings/settings'

beforeAll(() => {
  Object.assign(getSettings(), { allowedPrivateUpstreams: ['127.0.0.0/8'] })
})

/** A target that greets whoever connects. */
async function startTarget() {
  const server = createServer((socket) => void socket.on('error', () => undefined).end('greetings'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: async () => void server.close() }
}

/** What a proxy answers, and what comes through it. */
async function ask(gate: string, to: string, login = new URL(gate).username, verb = 'CONNECT'): Promise<string> {
  const { port, password } = new URL(gate)
  const socket = connect(Number(port), '127.0.0.1')
  const authorization = Buffer.from(`${login}:${decodeURIComponent(password)}`).toString('base64')
  socket.write(`${verb} ${to} HTTP/1.1\r\nHost: ${to}\r\nConnection: close\r\nProxy-Authorization: Basic ${authorization}\r\n\r\n`)
  let answer = ''
  socket.on('data', (text) => {
    answer += text.toString()
  })
  await once(socket, 'close')
  return answer
}

test('it leads to the target alone, and only whoever has its login', async () => {
  await using target = await startTarget()
  await using gate = await openGate(`https://target.test:${target.port}`, async () => ['127.0.0.1'])
  expect(await ask(gate.url, `target.test:${target.port}`)).toMatch(/^HTTP\/1.1 200[\s\S]*greetings$/)
  expect(await ask(gate.url, `other.test:${target.port}`)).toMatch(/403/)
  expect(await ask(gate.url, 'target.test:22')).toMatch(/403/)
  expect(await ask(gate.url, `target.test:${target.port}`, 'somebody')).toMatch(/403/)
})

test('a name that leads into a private network later is refused then', async () => {
  await using target = await startTarget()
  const addresses = [['127.0.0.1'], ['10.0.0.1'], ['10.0.0.1', '127.0.0.1']]
  await using gate = await openGate(`https://target.test:${target.port}`, async () => addresses.shift() ?? [])
  expect(await ask(gate.url, `target.test:${target.port}`)).toMatch(/403/)
  expect(await ask(gate.url, `target.test:${target.port}`)).toMatch(/greetings$/)
  expect(await ask(gate.url, `target.test:${target.port}`)).toMatch(/403/)
})

test('plain http is passed on to the target alone, without the login', async () => {
  const asked: string[] = []
  const target = createHttpServer((request, response) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? 'none'}`)
    response.end('greetings')
  })
  await once(target.listen(0, '127.0.0.1'), 'listening')
  const { port } = target.address() as AddressInfo
  const addresses = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']]
  await using gate = await openGate(`http://target.test:${port}`, async () => addresses.shift() ?? ['127.0.0.1'])
  expect(await ask(gate.url, `http://target.test:${port}/a%2Fb?c=d`, 'restic', 'GET')).toMatch(/ 200 OK[\s\S]*greetings/)
  expect(asked).toEqual(['/a%2Fb?c=d none'])
  for (const to of [`http://target.test:${port}/`, `http://other.test:${port}/`, 'http://target.test/', '/'])
    expect(await ask(gate.url, to, 'restic', 'GET')).toMatch(/403/)
  expect(await ask(gate.url, `http://target.test:${port}/`, 'somebody', 'GET')).toMatch(/403/)
  expect(asked).toHaveLength(1)
  target.close()
})

test('a target whose answer is none ends the request alone', async () => {
  const answers = ['HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n', 'nonsense', '']
  const server = createServer((socket) => void socket.on('error', () => undefined).end(answers.shift() ?? ''))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const to = `http://target.test:${(server.address() as AddressInfo).port}`
  await using gate = await openGate(to, async () => ['127.0.0.1'])
  for (let each = 0; each < 3; each += 1) expect(await ask(gate.url, `${to}/`, 'restic', 'GET')).toBe('')
  server.close()
})

test('Amazon is reached by the name that restic makes of its region, and by no other', async () => {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return host === 's3.amazonaws.com' ? ['203.0.114.1'] : ['10.0.0.1']
  }
  await using gate = await openGate('https://s3.amazonaws.com', resolve)
  for (const name of [
    's3.dualstack.eu-central-1.amazonaws.com',
    's3.eu-central-1.amazonaws.com',
    's3.dualstack.cn-north-1.amazonaws.com.cn',
  ]) {
    expect(await ask(gate.url, `${name}:443`)).toMatch(/403/)
    expect(asked.at(-1)).toBe(name)
  }
  asked.length = 0
  for (const to of ['s3.x.example:443', 'bucket.s3.dualstack.a.amazonaws.com:443', 's3.a.amazonaws.com.test:443', 's3.a.amazonaws.com:22'])
    expect(await ask(gate.url, to)).toMatch(/403/)
  expect(asked).toEqual([])
})

test('it closes although others of this machine hold connections to it', async () => {
  const gate = await openGate('https://target.test', async () => ['127.0.0.1'])
  const sockets = ['', 'CONNECT target.test:443 HTTP/1.1\r\n', 'CONNECT target.test:443 HTTP/1.1\r\n\r\n'].map((text) => {
    const socket = connect({ port: Number(new URL(gate.url).port), host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(text))
    return socket.on('error', () => undefined)
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets.slice(2)) await once(socket, 'data')
  await gate[Symbol.asyncDispose]()
  for (const socket of sockets) socket.destroy()
}, 5000)

test.each([
  ['https://target.test', ['192.168.1.1'], 'private network'],
  ['https://target.test', ['203.0.114.1', '169.254.169.254'], 'private network'],
  ['https://[::1]', [], 'private network'],
  ['http://target.test', ['203.0.114.1'], 'private network'],
  ['https://target.test', [], 'can’t reach'],
])('%s at %s is not opened at all', async (endpoint, addresses, why) => {
  const failure = await openGate(endpoint, async () => addresses).catch((error: unknown) => error)
  expect(failure).toMatchObject({ problem: { code: 'unsuitable', sentence: expect.stringContaining(why) } })
})
