/** What every provider must do for its firewall over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, send, type Target } from '../support/caller'

/** A server, reached on port 22 from the address `ours`, with UFW turned off and without rules. */
export type FirewallTarget = Target & { id: string; ours: string }

export type RuleFields = Record<'action' | 'from' | 'port' | 'protocol', string>

export type ListedRule = RuleFields & { id: string; v6: string }

const web: RuleFields = { action: 'allow', from: 'any', port: '80,443', protocol: 'tcp' }
const ssh: RuleFields = { action: 'allow', from: 'any', port: '22', protocol: 'tcp' }

/** before: ids of the rules to insert it before. */
export function saveRule(target: FirewallTarget, fields: Partial<RuleFields> = {}, before: readonly string[] = []): Promise<Said> {
  const form = new URLSearchParams({ ...web, ...fields })
  for (const id of before) form.append('before[]', id)
  return send(target, `/servers/${target.id}/savefirewallrule`, form)
}

export const deleteRule = (target: FirewallTarget, id: string): Promise<Said> =>
  post(target, `/servers/${target.id}/deletefirewallrule`, { id })

export const toggle = (target: FirewallTarget, status: string): Promise<Said> =>
  post(target, `/servers/${target.id}/savesystemuser`, { status })

export async function getFirewall(target: FirewallTarget): Promise<{ active: boolean; rules: ListedRule[] }> {
  const { status, body } = await get(target, `/servers/${target.id}/firewall`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  return { active: body.active === true, rules: body.rules as ListedRule[] }
}

/** Without UFW the summary's value is empty. */
async function firewallInSummary(target: FirewallTarget): Promise<unknown> {
  const { body } = await get(target, `/servers/${target.id}/summary`)
  return (body.item as { firewall: string }[])[0]?.firewall
}

const done = { status: 200, body: { success: true } }
const stale = { status: 409, body: { code: 'changed_meanwhile' } }
const keptOut = { status: 502, body: { code: 'unreachable', error: expect.stringMatching(/could not log in .* undone/) } }

/** `action port/protocol from`, with v6 for a rule of that family. */
export const sayAll = (rules: readonly ListedRule[]): string[] =>
  rules.map(({ action, port, protocol, from, v6 }) => [action, `${port}/${protocol}`, from, v6].filter(Boolean).join(' '))

const isOf = ({ rules }: { rules: ListedRule[] }, said: string): ListedRule | undefined => rules.find((rule) => sayAll([rule])[0] === said)

export async function proveFirewall(target: FirewallTarget): Promise<void> {
  expect(await getFirewall(target)).toEqual({ active: false, rules: [] })
  // Without a rule for SSH it cannot be turned on.
  expect(await toggle(target, '1')).toMatchObject(keptOut)
  expect(await getFirewall(target)).toEqual({ active: false, rules: [] })
  await proveSaving(target)
  await proveFirewallRefusals(target)
  const [one, other] = await Promise.all([toggle(target, '1'), toggle(target, '1')])
  expect([one, other]).toMatchObject([done, done])
  expect(await firewallInSummary(target)).toBe('on')
  await proveGuard(target)
  await proveDeletion(target)
  for (const said of await Promise.all([toggle(target, '0'), toggle(target, '0')])) expect(said).toMatchObject(done)
  const left = await getFirewall(target)
  expect(left.active).toBe(false)
  expect(await firewallInSummary(target)).toBe('off')
  for (const { id } of left.rules) expect(await deleteRule(target, id)).toMatchObject(done)
  expect(await getFirewall(target)).toEqual({ active: false, rules: [] })
}

async function proveSaving(target: FirewallTarget): Promise<void> {
  expect(await saveRule(target, ssh)).toMatchObject(done)
  expect(await saveRule(target, { port: '443,80', action: 'Allow', from: 'Anywhere' })).toMatchObject(done)
  expect(await saveRule(target, { from: '10.1.2.3/8', port: '5432' })).toMatchObject(done)
  expect(await saveRule(target, { from: '2001:DB8::/32', port: '6000:6007', protocol: 'udp', action: 'limit' })).toMatchObject(done)
  expect(await saveRule(target, { from: '192.0.2.7', port: 'any', protocol: 'any', action: 'deny' })).toMatchObject(done)
  // A rule that refuses a source goes before rules that would allow it.
  const whole = ['deny any/any 192.0.2.7', 'allow 22/tcp any', 'allow 80,443/tcp any', 'allow 5432/tcp 10.0.0.0/8']
  const whole6 = ['allow 22/tcp any v6', 'allow 80,443/tcp any v6', 'limit 6000:6007/udp 2001:db8::/32 v6']
  const { rules } = await getFirewall(target)
  expect(sayAll(rules)).toEqual([...whole, ...whole6])
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  // An existing rule is not added again, however it is written.
  const again = [saveRule(target), saveRule(target), saveRule(target, { from: '10.0.0.0/8', port: '5432' })]
  for (const said of await Promise.all(again)) expect(said).toMatchObject(done)
  expect(await getFirewall(target)).toEqual({ active: false, rules })
  // A rule with the opposite action would reverse it, so it is refused.
  expect(await saveRule(target, { action: 'deny' })).toMatchObject({ status: 422, body: { fields: { action: expect.any(String) } } })
  // A rule that an earlier one would make ineffective goes before that one.
  expect(await saveRule(target, { action: 'deny', from: '203.0.113.0/24', port: '443' })).toMatchObject(done)
  const after = sayAll((await getFirewall(target)).rules)
  expect(after).toEqual([...whole.slice(0, 2), 'deny 443/tcp 203.0.113.0/24', ...whole.slice(2), ...whole6])
}

async function proveFirewallRefusals(target: FirewallTarget): Promise<void> {
  const before = await getFirewall(target)
  const refused: [fields: Partial<RuleFields>, why: string[]][] = [
    [{ action: 'open' }, ['action']],
    [{ action: '' }, ['action']],
    [{ from: 'example.org' }, ['from']],
    [{ from: '10.0.0.0/33' }, ['from']],
    [{ from: '10.0.0.1; reboot' }, ['from']],
    [{ port: '0' }, ['port']],
    [{ port: '70000' }, ['port']],
    [{ port: 'ssh' }, ['port']],
    [{ port: '22\n23' }, ['port']],
    [{ port: '-1' }, ['port']],
    [{ protocol: 'icmp' }, ['protocol']],
    [{ protocol: 'any' }, ['protocol']],
    [{ action: 'x', from: 'x', port: 'x', protocol: 'x' }, ['action', 'from', 'port', 'protocol']],
  ]
  for (const [fields, why] of refused) {
    const { status, body } = await saveRule(target, fields)
    const told = { fields, status, code: body.code, why: Object.keys(body.fields ?? {}).sort() }
    expect(told).toEqual({ fields, status: 422, code: 'invalid', why })
  }
  for (const id of ['', '1', 'v4-', 'v4-x y', '../x']) expect(await deleteRule(target, id)).toMatchObject({ status: 422 })
  const nowhere = { status: 422, body: { fields: { before: expect.any(String) } } }
  for (const id of ['1', 'v4-', 'v4-x y', 'END']) expect(await saveRule(target, { port: '1' }, [id])).toMatchObject(nowhere)
  expect(await saveRule(target, { port: '1' }, ['end', 'v4-aaaaaaaaaaaaaaaa'])).toMatchObject(stale)
  expect(await deleteRule(target, 'v4-aaaaaaaaaaaaaaaa')).toMatchObject(stale)
  for (const status of ['', '2', 'yes', '-1']) expect(await toggle(target, status)).toMatchObject({ status: 422 })
  const absent = { ...target, id: 'no-such-server' }
  for (const said of [
    await saveRule(absent),
    await deleteRule(absent, 'v4-aaaaaaaaaaaaaaaa'),
    await toggle(absent, '1'),
    await get(target, '/servers/no-such-server/firewall'),
  ])
    expect(said).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await getFirewall(target)).toEqual(before)
}

/** While the firewall is active, a change that would lock us out is undone. */
async function proveGuard(target: FirewallTarget): Promise<void> {
  const before = await getFirewall(target)
  expect(before.active).toBe(true)
  const way = isOf(before, 'allow 22/tcp any')
  expect(await deleteRule(target, way?.id ?? '')).toMatchObject(keptOut)
  expect(await getFirewall(target)).toEqual(before)
  expect(await saveRule(target, { action: 'deny', from: target.ours, port: '22' })).toMatchObject(keptOut)
  expect(await getFirewall(target)).toEqual(before)
  // If another rule allows SSH, the first one may be deleted and restored to its position.
  expect(await saveRule(target, { from: `${target.ours}/30`, port: '22' })).toMatchObject(done)
  expect(await deleteRule(target, way?.id ?? '')).toMatchObject(done)
  const next = before.rules[before.rules.findIndex(({ id }) => id === way?.id) + 1]
  expect(await saveRule(target, ssh, [next?.id ?? ''])).toMatchObject(done)
  expect(sayAll((await getFirewall(target)).rules).slice(0, 2)).toEqual(['deny any/any 192.0.2.7', 'allow 22/tcp any'])
}

async function proveDeletion(target: FirewallTarget): Promise<void> {
  const before = await getFirewall(target)
  const [v4, v6] = [isOf(before, 'allow 80,443/tcp any'), isOf(before, 'allow 80,443/tcp any v6')]
  const twice = await Promise.all([deleteRule(target, v4?.id ?? ''), deleteRule(target, v4?.id ?? '')])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await deleteRule(target, v4?.id ?? '')).toMatchObject(stale)
  expect((await getFirewall(target)).rules).toEqual(before.rules.filter(({ id }) => id !== v4?.id))
  expect(await deleteRule(target, v6?.id ?? '')).toMatchObject(done)
  // To reverse a deletion, the rule is saved before those that followed it: both halves return to their positions.
  const next = [v4, v6].map((half) => before.rules[before.rules.findIndex(({ id }) => id === half?.id) + 1]?.id ?? '')
  expect(await saveRule(target, {}, next)).toMatchObject(done)
  expect(await getFirewall(target)).toEqual(before)
  // To save a rule from anywhere for one family only, `from` is `0.0.0.0/0` or `::/0`.
  expect(await deleteRule(target, v6?.id ?? '')).toMatchObject(done)
  expect(await saveRule(target, { from: '::/0' }, next)).toMatchObject(done)
  expect(await getFirewall(target)).toEqual(before)
  const ports = ['8001', '8002', '8003', '8004']
  for (const said of await Promise.all(ports.map((port) => saveRule(target, { port, from: '10.9.0.0/16' }))))
    expect(said).toMatchObject(done)
  const all = await getFirewall(target)
  const added = all.rules.filter(({ from }) => from === '10.9.0.0/16')
  expect(added.map(({ port }) => port).sort()).toEqual(ports)
  for (const { id } of added) expect(await deleteRule(target, id)).toMatchObject(done)
}
