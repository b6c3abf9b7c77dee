/** A stored rule that can be restored later, and the list that it was part of. */
import 'server-only'
import * as z from 'zod'
import type { Answer } from '@/lib/contract/operation'
import { firewall } from '@/lib/contract/operations/firewall'
import type { Outcome } from '@/lib/contract/problem'
import { lineOf } from '@/lib/firewall/listed'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'
import type { RevertRequest } from '../undoable/kind'
import type { Subject } from '../undoable/subject'

export type FirewallRule = Answer<typeof firewall.get>['rules'][number]

const text = z.string()

export const ruleWords = z.object({ action: text, protocol: text, port: text, from: text })

/** Without the id, which is just a position in some services. */
export const keptRule = ruleWords.extend({ v6: text })

export type KeptRule = z.infer<typeof keptRule>

export const keptOf = ({ action, from, port, protocol, v6 }: FirewallRule): KeptRule => ({ action, from, port, protocol, v6 })

export const page = ({ id }: Subject) => ({ href: `/servers/${id}/firewall`, label: 'Firewall' })

export const readFirewall = (actor: Actor, { target }: Pick<RevertRequest, 'target'>): Promise<Outcome<Answer<typeof firewall.get>>> =>
  runOperation(actor, firewall.get, target)

/** Whether the lines contain none of the rules. */
export const without = (lines: readonly string[], rules: readonly FirewallRule[]): boolean =>
  !rules.some((rule) => lines.includes(lineOf(rule)))
