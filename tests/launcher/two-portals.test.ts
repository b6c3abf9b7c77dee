/** Two portals and one service on PostgreSQL, as their operators start them, behind a balancer: one is killed, one ends in order, and people go on working. */
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCaller } from '../browser/security/caller'
import { npmRun } from '../support/npm-run'
import { openPortalPair } from '../support/portal-pair'
import { createVisitor, type PortalVisitor } from '../support/portal-visitor'
import { postgresqlMissing } from '../support/postgresql'

/** The numbers of a job's lines as a browser has them in the end: it connects again after the last line whenever the stream ends. */
async function watch(port: number, jobId: string, cookie: string): Promise<number[]> {
  const seen: number[] = []
  let over = false
  while (!over) {
    const headers = { host: `localhost:${port}`, cookie, ...(seen.length > 0 && { 'last-event-id': String(seen.at(-1)) }) }
    await new Promise<void>((resolve) => {
      let text = ''
      const asking = get({ host: '127.0.0.1', port, path: `/api/jobs/${jobId}/events`, headers, agent: false }, (answer) => {
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          const events = `${text}${chunk}`.split('\n\n')
          text = events.pop() ?? ''
          for (const event of events) {
            if (event.startsWith('event: reset')) seen.length = 0
            const line = /^id: (\d+)\nevent: line\n/.exec(event)?.[1]
            if (line !== undefined) seen.push(Number(line))
            if (event.startsWith('event: state')) over = !event.includes('"endedAt":null')
          }
        })
        answer.once('close', resolve)
      })
      asking.once('error', () => resolve())
    })
    if (!over) await delay(200)
  }
  return seen
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test.skipIf(postgresqlMissing)(
  'one is killed and one ends in order while installs are watched and servers added: nothing is lost, nothing is done twice',
  async () => {
    await using pair = await openPortalPair()
    const { balancer } = pair
    using caller = createCaller(balancer.port)
    const owner = createVisitor(caller)
    await owner.setUp(pair.setupLink)
    const servers = [await owner.addSandbox('install-1'), await owner.addSandbox('install-2')]

    let working = true
    const acknowledged: string[] = []
    const people = upTo(5).map((number) => addServers(owner, `person-${number}`, () => working, acknowledged))
    const seen: number[][] = []
    const follow = async (serverId: string, meanwhile: () => Promise<void>) => {
      const jobId = await owner.install(serverId)
      const watching = upTo(6).map(() => watch(balancer.port, jobId, owner.cookie()))
      await delay(2_000)
      await meanwhile()
      seen.push(...(await Promise.all(watching)))
    }
    // Whose job it is depends on the balancer.
    await follow(servers[0] ?? '', async () => pair.kill(0))
    pair.start(0)
    await pair.untilReady(0, 1)
    await follow(servers[1] ?? '', async () => {
      const ending = pair.portal(1)
      ending.child.kill('SIGTERM')
      const since = performance.now()
      await expect.poll(balancer.ready, { timeout: 3_000 }).toEqual([pair.places[0].port])
      expect(await ending.ended).toBe(0)
      expect(performance.now() - since).toBeLessThan(30_000)
    })
    working = false
    await Promise.all(people)

    for (const numbers of seen) expect(numbers).toEqual(upTo(numbers.length))
    expect(new Set(seen.map(({ length }) => length)).size).toBeLessThanOrEqual(2)
    const jobs = JSON.parse((await caller.call('/api/jobs', { cookie: owner.cookie() })).text)
    expect(jobs.map(({ state }: { state: string }) => state)).toEqual(['done', 'done'])
    const list = JSON.parse((await caller.call('/api/servers', { cookie: owner.cookie() })).text)
    const names: string[] = list.servers.map(({ name }: { name: string }) => name)
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(acknowledged.filter((name) => names.filter((each) => each === name).length !== 1)).toEqual([])
    expect(names.length).toBe(new Set(names).size)
    expect(npmRun(pair.places[0], 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('Log integrity verified') })
  },
)

/** Adds servers one after the other. A form whose answer is lost is not sent again: nobody knows what became of it. */
async function addServers(visitor: PortalVisitor, who: string, isWorking: () => boolean, acknowledged: string[]): Promise<void> {
  for (let number = 1; isWorking(); number += 1) {
    const name = `${who}-${number}`
    const id = await visitor.addSandbox(name).catch(() => '')
    if (id !== '') acknowledged.push(name)
    await delay(500)
  }
}
