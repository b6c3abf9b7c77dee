/** Taking a firewall rule out, in one family or both: never another rule than the one a person saw. */
import 'server-only'
import * as z from 'zod'
import type { Answer } from '@/lib/contract/operation'
import { firewall } from '@/lib/contract/operations/firewall'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide } from '../access/decide'
import { ownAction } from '../action'
import type { Actor } from '../identity/actor'
import { runOperation } from '../run-operation'

type FirewallRule = Answer<typeof firewall.get>['rules'][number]

/** What a rule is; its `id` may be no more than its place, and tells nothing once others came or went. */
const members = ['action', 'from', 'port', 'protocol', 'v6'] as const

const isSame = (one: FirewallRule, other: FirewallRule): boolean => members.every((name) => one[name] === other[name])

/** The list is read before each: a service whose `id` is a place in it would otherwise delete whatever stands there by now. */
export async function removeRules(actor: Actor, serverId: string, seen: readonly FirewallRule[]): Promise<Outcome<object>> {
  const may = await decide(actor, firewall.deleteRule, { serverId })
  if (!may.ok) return may
  for (const [index, rule] of seen.entries()) {
    const removed = await removeOne(actor, serverId, rule)
    if (!removed.ok) return { ok: false, problem: index === 0 ? removed.problem : sayHalf(removed.problem) }
  }
  return { ok: true, data: {} }
}

async function removeOne(actor: Actor, serverId: string, seen: FirewallRule): Promise<Outcome<object>> {
  const listed = await runOperation(actor, firewall.get, { serverId })
  if (!listed.ok) return listed
  const same = listed.data.rules.filter((rule) => isSame(rule, seen))
  const rule = same.find(({ id }) => id === seen.id) ?? same[0]
  if (!rule) return { ok: false, problem: gone }
  const deleted = await runOperation(actor, firewall.deleteRule, { serverId }, { id: rule.id })
  return deleted.ok ? { ok: true, data: {} } : deleted
}

const gone = problem('changed_meanwhile', { sentence: 'This rule is no longer there as you saw it. Look at the list again.' })

const sayHalf = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `The rule is gone for IPv4, but may still be there for IPv6. ${sentence}` })

const rule = z.strictObject({
  id: z.string().min(1),
  action: z.string(),
  from: z.string(),
  port: z.string(),
  protocol: z.string(),
  v6: z.string(),
})

/** One rule, or its halves: IPv4 first. */
const rules = z.array(rule).min(1).max(2)

function readRules(text: string): FirewallRule[] | null {
  try {
    return rules.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The action that deletes a rule. Reads `serverId` and `rules`, the rule as it was seen, as JSON. */
export const removeRulesAction = () =>
  ownAction('firewall.deleteRule', async ({ actor, field }): Promise<Outcome<object>> => {
    const seen = readRules(field('rules'))
    return seen ? removeRules(actor, field('serverId'), seen) : { ok: false, problem: problem('invalid') }
  })
