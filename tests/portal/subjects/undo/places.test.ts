/** The portal remembers positions, and tells a service that announces extensions which job or rule to insert before. */
import { expect, test } from 'vitest'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { startJob } from '@/lib/portal/jobs/start'
import { removeJob, replaceJob } from '@/lib/portal/subjects/cron/remove'
import { saveJob } from '@/lib/portal/subjects/cron/save'
import { removeRules } from '@/lib/portal/subjects/firewall/remove'
import { saveRule } from '@/lib/portal/subjects/firewall/save'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { type Bench, job, openBench, rule } from './changes'

const at = ({ serverId }: Bench) => ({ serverId, requestId: createOpaqueId() })

const undo = async (bench: Bench, { requestId }: { requestId: string }) =>
  expect(await undoChange(bench.actor, requestId, createOpaqueId(), startJob)).toMatchObject({ ok: true })

const openJobs = async (commands: readonly string[], extensions = true) => {
  const bench = await openBench({ extensions })
  bench.server.cronjobs = commands.map((command, index) => job(command, `${index + 1}`))
  return bench
}

test('a deleted job returns before the nearest remaining follower, else after the nearest predecessor', async () => {
  await using bench = await openJobs(['a', 'b', 'c', 'd'])
  const { actor, server, commands } = bench
  const change = at(bench)
  await removeJob(actor, change, job('b', '2'))
  server.cronjobs = [...server.cronjobs.filter(({ command }) => command !== 'c'), job('e', '5')]
  await undo(bench, change)
  expect(commands()).toEqual(['a', 'b', 'd', 'e'])

  const last = at(bench)
  await removeJob(actor, last, job('e', '5'))
  server.cronjobs.push(job('f', '6'))
  await undo(bench, last)
  expect(commands()).toEqual(['a', 'b', 'd', 'e', 'f'])
})

test('an edited job returns before the next one that exists once; jobs of other system users do not count', async () => {
  await using bench = await openJobs(['a', 'twice', 'twice', 'd'])
  const { actor, server, commands } = bench
  server.cronjobs.splice(1, 0, { ...job('theirs', '9'), user: 'deploy' })
  const change = at(bench)
  await replaceJob(actor, change, job('a', '1'), job('changed'))
  await undo(bench, change)
  expect(commands()).toEqual(['theirs', 'twice', 'twice', 'a', 'd'])
})

test('a deleted job that is saved manually returns to its position too, and a service without extensions gets no position', async () => {
  await using bench = await openJobs(['a', 'b', 'c'])
  await removeJob(bench.actor, at(bench), job('a', '1'))
  await saveJob(bench.actor, at(bench), job('a'))
  expect(bench.commands()).toEqual(['a', 'b', 'c'])

  await using foreign = await openJobs(['a', 'b', 'c'], false)
  const change = at(foreign)
  await removeJob(foreign.actor, change, job('a', '1'))
  await undo(foreign, change)
  expect(foreign.commands()).toEqual(['b', 'c', 'a'])
  const sent = foreign.upstream.callsTo('POST', `/servers/${foreign.upstreamId}/savecronjob`)
  expect(sent.map(({ fields }) => 'before' in fields)).toEqual([false])
})

const openRules = async (ports: readonly string[]) => {
  const bench = await openBench({ extensions: true })
  bench.server.rules = ports.map((port) => ({ ...rule(port), id: port }))
  return bench
}

test('a rule returns before its follower, or to the very end, by undo and manually', async () => {
  await using bench = await openRules(['22', '80', '443'])
  const { actor, ports, upstream, upstreamId } = bench
  const [middle, last] = [at(bench), at(bench)]
  await removeRules(actor, middle, [{ ...rule('80'), id: '80' }])
  await undo(bench, middle)
  expect(ports()).toEqual(['22', '80', '443'])
  await removeRules(actor, last, [{ ...rule('443'), id: '443' }])
  await undo(bench, last)
  await removeRules(actor, at(bench), [{ ...rule('22'), id: '22' }])
  await saveRule(actor, at(bench), { action: 'allow', protocol: 'tcp', port: '22', from: '0.0.0.0/0' })
  expect(ports()).toEqual(['22', '80', '443'])
  const sent = upstream.callsTo('POST', `/servers/${upstreamId}/savefirewallrule`).map(({ fields }) => fields.before)
  expect(sent).toEqual([['443'], ['end'], [expect.any(String)]])
})

test('a rule that refuses an address returns before later rules that allow it', async () => {
  await using bench = await openRules(['22', '80'])
  const { actor, server, ports } = bench
  const refusal = { ...rule('8080'), action: 'deny', from: '192.0.2.7', id: 'deny' }
  server.rules.push(refusal)
  const change = at(bench)
  await removeRules(actor, change, [refusal])
  server.rules.push(
    { ...rule('9'), id: 'other' },
    { ...rule('8080'), id: 'came' },
    { ...rule(''), port: 'Nginx Full', protocol: '', id: 'app' },
  )
  await undo(bench, change)
  expect(ports()).toEqual(['22', '80', '9', '8080', '8080', 'Nginx Full'])
  expect(server.rules[3]).toMatchObject({ action: 'deny' })
})
