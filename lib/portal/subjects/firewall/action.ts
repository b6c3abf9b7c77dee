/** Form actions for the firewall of a server. */
import 'server-only'
import * as z from 'zod'
import { type Outcome, problem } from '@/lib/contract/problem'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import type { Undoable } from '../undoable/change'
import { removeRules, type SeenRules } from './remove'
import { saveRule, toggleFirewall } from './save'

const rule = z.strictObject({
  id: z.string().min(1),
  action: z.string(),
  from: z.string(),
  port: z.string(),
  protocol: z.string(),
  v6: z.string(),
})

const rules = z.tuple([rule, rule.exactOptional()])

function readRules(text: string): SeenRules | null {
  try {
    return rules.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const changeOf = ({ requestId, field }: OwnInput) => ({ requestId, serverId: field('serverId') })

/** The action that adds a rule. Reads `serverId` and the rule's members. */
export const saveRuleAction = () =>
  ownAction('firewall.saveRule', async (input) => {
    const [action, from] = [input.field('action'), input.field('from')]
    return saveRule(input.actor, changeOf(input), { action, from, port: input.field('port'), protocol: input.field('protocol') })
  })

/** The action that deletes a rule. Reads `serverId` and `rules`, the rule as the user saw it, as JSON. */
export const removeRulesAction = () =>
  ownAction('firewall.deleteRule', async (input): Promise<Outcome<Undoable>> => {
    const seen = readRules(input.field('rules'))
    return seen ? removeRules(input.actor, changeOf(input), seen) : { ok: false, problem: problem('invalid') }
  })

/** The action that turns the firewall on or off. Reads `serverId` and `status`: 1 or 0. */
export const toggleAction = () =>
  ownAction('firewall.toggle', async (input) => toggleFirewall(input.actor, changeOf(input), input.field('status')))
