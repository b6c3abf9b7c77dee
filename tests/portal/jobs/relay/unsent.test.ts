/** Jobs of a portal that ended after it had stored them and before it had asked their service. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { isLost, openJobLog } from '@/lib/portal/jobs/relay/job-log'
import { relayOf } from '@/lib/portal/jobs/relay/relay'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { storedLines, upTo } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

const installLines = 5

type Service = Pick<Upstream, 'origin' | 'key'>

/** through: what stands between the portal and the service. */
async function openScene(through: (upstream: Upstream) => Promise<Service> | Service = (upstream) => upstream) {
  const portal = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true, installLines })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(await through(upstream))
  const upstreamId = upstream.addServer({ name: 'web' })
  const { servers } = await listServers(actor)
  const server = await db().server.findUniqueOrThrow({ where: { id: servers[0]?.id ?? '' } })
  const { id: connectionId } = await db().connection.findFirstOrThrow()
  /** As the former process left it. */
  const leave = async (operation: Operation, data: { unsent: boolean; startedAt?: Date; upstreamEventId?: number }): Promise<string> => {
    const id = createOpaqueId()
    const about = { teamId: actor.team.id, operation: operation.id, serverId: server.id, connectionId, startedById: actor.user.id }
    await db().job.create({
      data: { id, ...about, targetName: 'web', state: 'running', lease: 'the former', heardAt: new Date(), ...data },
    })
    return id
  }
  const close = async () => {
    await upstream[Symbol.asyncDispose]()
    await portal[Symbol.asyncDispose]()
  }
  return { actor, server, leave, starts: () => upstream.installStarts(upstreamId), [Symbol.asyncDispose]: close }
}

const ended = async (id: string) => {
  await relayOf(id)
  return db().job.findUniqueOrThrow({ where: { id } })
}

test('an install that was never sent is started by the next process, once, with every line', async () => {
  await using scene = await openScene()
  const id = await scene.leave(contract.servers.install, { unsent: true })
  await resumeJobs()
  expect(await ended(id)).toMatchObject({ state: 'done', unsent: false })
  expect((await storedLines(id)).map(({ seq }) => seq)).toEqual(upTo(installLines))
  expect(scene.starts()).toBe(1)
})

test('an install that may have been sent is looked up first, and the lines of the previous install are not taken for its own', async () => {
  await using scene = await openScene()
  const first = await scene.leave(contract.servers.install, { unsent: true })
  await resumeJobs()
  const { upstreamEventId } = await ended(first)
  expect(upstreamEventId).toBe(installLines)
  const second = await scene.leave(contract.servers.install, { unsent: false, upstreamEventId })
  await resumeJobs({ firstRetryMs: 10, lastRetryMs: 10, awayMs: 1_000, giveUpMs: 1_000, arriveMs: 50 })
  expect((await ended(second)).state).toBe('done')
  expect((await storedLines(second)).map(({ upstreamId }) => upstreamId)).toEqual(upTo(installLines).map((number) => number + installLines))
  expect(scene.starts()).toBe(2)
})

test('a job requested more than five minutes ago, or with unknown fields, fails and says that nothing was done', async () => {
  await using scene = await openScene()
  const late = await scene.leave(contract.servers.install, { unsent: true, startedAt: new Date(Date.now() - 301_000) })
  const updates = await scene.leave(contract.servers.applyUpdates, { unsent: true })
  await resumeJobs()
  for (const id of [late, updates])
    expect(await ended(id)).toMatchObject({ state: 'failed', problemSentence: expect.stringContaining('Nothing was done') })
  expect(scene.starts()).toBe(0)
})

test.each([true, false])('it is sent once, also to a service that loses each request and then knows nothing of it', async (unsent) => {
  let starts = 0
  let proxy = createServer()
  await using scene = await openScene(async ({ origin, key }) => {
    proxy = createServer(async ({ url = '', headers }, response) => {
      const resumes = headers['last-event-id']
      if (url.endsWith('/install') && resumes === undefined) {
        starts += 1
        return void response.destroy()
      }
      const sent = new Headers()
      if (headers.authorization !== undefined) sent.set('authorization', headers.authorization)
      if (resumes !== undefined) sent.set('last-event-id', String(resumes))
      const answer = await fetch(`${origin}${url}`, { headers: sent })
      answer.headers.forEach((value, name) => {
        if (!/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name)) response.setHeader(name, value)
      })
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, key }
  })
  const id = await scene.leave(contract.servers.install, { unsent })
  await resumeJobs({ firstRetryMs: 20, lastRetryMs: 20, awayMs: 1_000, giveUpMs: 1_000, arriveMs: 50 })
  const { state } = await ended(id)
  expect({ starts, state }).toEqual({ starts: 1, state: 'failed' })
  proxy.closeAllConnections()
  proxy.close()
})

test('what its starter may not do any more is not started, whether it was sent or not', async () => {
  await using scene = await openScene()
  const { actor, leave } = scene
  const timing = { firstRetryMs: 10, lastRetryMs: 10, awayMs: 1_000, giveUpMs: 1_000, arriveMs: 50 }
  const follow = async (unsent: boolean) => {
    const id = await leave(contract.servers.install, { unsent })
    await resumeJobs(timing)
    return ended(id)
  }
  const ofActor = { userId: actor.user.id, teamId: actor.team.id }
  await db().grant.updateMany({ where: ofActor, data: { effects: 'read' } })
  for (const unsent of [true, false]) expect((await follow(unsent)).state).toBe('failed')
  await db().grant.updateMany({ where: ofActor, data: { effects: 'read,change', root: true } })
  await db().user.update({ where: { id: actor.user.id }, data: { disabledAt: new Date() } })
  for (const unsent of [true, false]) expect((await follow(unsent)).state).toBe('failed')
  expect(scene.starts()).toBe(0)
  await db().user.update({ where: { id: actor.user.id }, data: { disabledAt: null } })
  expect((await follow(true)).state).toBe('done')
})

test('a paused process sends nothing once another process has taken its job', async () => {
  await using scene = await openScene()
  const id = await scene.leave(contract.servers.install, { unsent: true })
  await resumeJobs()
  await relayOf(id)
  const stopped = await openJobLog(id)
  await db().job.update({ where: { id }, data: { leaseEpoch: { increment: 1 } } })
  await expect(stopped.noteSent()).rejects.toSatisfy(isLost)
})

test('a job is stored as sent before the request is sent', async () => {
  await using scene = await openScene()
  const started = await startJob(scene.actor, contract.servers.install, { serverId: scene.server.id })
  const id = started.ok ? started.data.jobId : ''
  await expect.poll(async () => (await storedLines(id)).length).toBeGreaterThan(0)
  expect((await db().job.findUniqueOrThrow({ where: { id } })).unsent).toBe(false)
  await relayOf(id)
})
