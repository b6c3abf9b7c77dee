/** nginx and Caddy with the files of deploy/ in front of two portals, of which one ends in order or is killed. The portals are small programs that listen and end as real ones do. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type RequestOptions, request } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type PortalsProxy, portalName, proxies, startProxy } from '../support/two-portal-proxies'

type SmallPortal = AsyncDisposable & { child: ChildProcess; port: number; ended: Promise<number | null> }

async function startSmallPortal(name: string, port = 0): Promise<SmallPortal> {
  const child = spawn(process.execPath, ['tests/support/small-portal-process.mjs', name, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const [line] = await once(child.stdout, 'data')
  return {
    child,
    port: Number(String(line)),
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

type Got = { status: number; body: string; cookie: string }

type Told = { name: string; method: string; host: string; connection: string; forwarded: string }

/** A browser: keeps its connection and the proxy's cookie, and names itself. */
function openBrowser({ port, ca }: PortalsProxy, name: string) {
  const tls = { ca, servername: portalName }
  const agent = new Agent({ keepAlive: true, ...tls })
  let cookie = ''
  const begin = (path: string, options: RequestOptions = {}) => {
    const headers = { host: portalName, 'user-agent': name, ...(cookie !== '' && { cookie }), ...options.headers }
    return request({ host: '127.0.0.1', port, ...tls, agent, path, ...options, headers })
  }
  const ask = (method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}): Promise<Got> =>
    new Promise((resolve, reject) => {
      const asking = begin(path, { method, headers })
      asking.once('response', async (answer) => {
        let body = ''
        for await (const chunk of answer) body += chunk
        cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
        resolve({ status: answer.statusCode ?? 0, body, cookie })
      })
      asking.once('error', reject)
      asking.end(method === 'POST' ? 'name=web-fra-01' : undefined)
    })
  return { begin, ask, whoAnswers: async () => (JSON.parse((await ask('GET', '/')).body) as Told).name, close: () => agent.destroy() }
}

type Browser = ReturnType<typeof openBrowser>

/** The lines of a stream as `NUMBER PORTAL`, with a browser that connects again after the last one, until `isOver`. */
async function follow({ begin }: Browser, isOver: () => boolean): Promise<string[]> {
  const lines: string[] = []
  while (!isOver()) {
    const last = lines.at(-1)?.split(' ')[0]
    await new Promise<void>((resolve) => {
      const asking = begin('/stream', { agent: false, headers: last === undefined ? {} : { 'last-event-id': last } })
      asking.once('error', () => resolve())
      asking.once('response', (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          const events = `${text}${chunk}`.split('\n\n')
          text = events.pop() ?? ''
          for (const event of events) {
            const line = /^id: (\d+)\nevent: line\ndata: (\w+)/.exec(event)
            if (line) lines.push(`${line[1]} ${line[2]}`)
          }
          if (isOver()) answer.destroy()
        })
        answer.once('close', resolve)
      })
      asking.end()
    })
    await delay(100)
  }
  return lines
}

/** Sends forms and reads one after the other until `isOver`, and resolves with what was not answered as it should. */
async function work({ ask }: Browser, isOver: () => boolean): Promise<{ count: number; failed: string[] }> {
  const failed: string[] = []
  let count = 0
  for (; !isOver(); count += 1) {
    const method = count % 2 === 0 ? 'POST' : 'GET'
    const status = await ask(method, '/servers').then(
      (got) => got.status,
      (error: Error) => error.message,
    )
    if (status !== 200) failed.push(`${method} ${status}`)
    await delay(10)
  }
  return { count, failed }
}

const numbersOf = (lines: readonly string[]) => lines.map((line) => Number(line.split(' ')[0]))
const portalsOf = (lines: readonly string[]) => [...new Set(lines.map((line) => line.split(' ')[1]))]

test.each(['nginx', 'Caddy'] as const)(
  '%s: nothing is refused while a portal ends in order, and the other one has everything after a kill',
  async (name) => {
    using unpacked = proxies[name].find()
    if (!unpacked) throw new Error(`${name} cannot be had without apt.`)
    await using first = await startSmallPortal('first')
    await using second = await startSmallPortal('second')
    await using proxy = await startProxy(name, unpacked, [first.port, second.port])
    const browsers = Array.from({ length: 12 }, (_, index) => openBrowser(proxy, `browser-${index}`))
    try {
      const [one] = browsers as [Browser, ...Browser[]]
      const told: Told = JSON.parse((await one.ask('POST', '/', { 'x-forwarded-for': '203.0.113.99' })).body)
      expect(told).toMatchObject({ method: 'POST', host: portalName, forwarded: expect.stringMatching(/(^|, )127\.0\.0\.1$/) })
      const places = await Promise.all(browsers.map(async ({ whoAnswers }) => [await whoAnswers(), await whoAnswers(), await whoAnswers()]))
      expect(places.filter((each) => new Set(each).size > 1)).toEqual([])
      expect(new Set(places.flat())).toEqual(new Set(['first', 'second']))
      for (const script of ['first', 'second']) expect(await one.ask('GET', `/_next/static/${script}.js`)).toMatchObject({ status: 200 })
      expect(await one.ask('GET', '/_next/static/neither.js')).toMatchObject({ status: 404 })

      let over = false
      const working = browsers.map((browser) => work(browser, () => over))
      const following = browsers.map((browser) => follow(browser, () => over))
      await delay(1_000)
      first.child.kill('SIGTERM')
      expect(await first.ended).toBe(143)
      await delay(1_000)
      over = true
      const worked = await Promise.all(working)
      expect(worked.flatMap(({ failed }) => failed)).toEqual([])
      expect(worked.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(500)
      const lines = await Promise.all(following)
      for (const each of lines) expect(numbersOf(each)).toEqual(Array.from(each, (_, index) => index + 1))
      expect(lines.filter((each) => portalsOf(each).join() === 'first,second').length).toBeGreaterThan(0)
      expect(lines.filter((each) => each.at(-1)?.endsWith(' first'))).toEqual([])

      await using again = await startSmallPortal('again', first.port)
      // Caddy leaves a browser that has moved where it is, so others come.
      const whoAnswers = async () => {
        const newcomers = Array.from({ length: 12 }, (_, index) => openBrowser(proxy, `newcomer-${index}`))
        browsers.push(...newcomers)
        return new Set(await Promise.all(newcomers.map((browser) => browser.whoAnswers())))
      }
      await expect.poll(whoAnswers, { timeout: 20_000 }).toEqual(new Set(['again', 'second']))
      let isKilled = false
      const reading = browsers.slice(0, 12).map(async ({ ask }) => {
        const statuses: number[] = []
        while (!isKilled) statuses.push((await ask('GET', '/servers')).status)
        return statuses
      })
      await delay(500)
      second.child.kill('SIGKILL')
      await second.ended
      await delay(1_000)
      isKilled = true
      expect(new Set((await Promise.all(reading)).flat())).toEqual(new Set([200]))
      expect(await whoAnswers()).toEqual(new Set(['again']))
      await again[Symbol.asyncDispose]()
    } finally {
      for (const { close } of browsers) close()
    }
  },
)
