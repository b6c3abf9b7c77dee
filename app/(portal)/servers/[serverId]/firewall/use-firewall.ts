'use client'

import { useState } from 'react'
import { type RuleWords, readRule } from '@/lib/firewall/rule'
import { useDeeds } from '../../../../_shared/use-deeds'
import { deleteFirewallRule, toggleFirewall } from './actions'
import type { RuleRow } from './rule-rows'
import { sayRuleSentence } from './rule-words'

/** What can be done with the firewall of a server; each step can be taken back. */
export function useFirewall(serverId: string) {
  const { send, settling, sayDone } = useDeeds('firewall.get', serverId)
  const [busy, setBusy] = useState<string | null>(null)

  /** One change at a time: the next one is made of what this one leaves. `what` is shown meanwhile. */
  async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
    setBusy(what)
    return work().finally(() => setBusy(null))
  }

  async function toggle(on: boolean): Promise<void> {
    const done = await during('switch', () => send(toggleFirewall, { status: on ? '1' : '0' }))
    if (done) sayDone(on ? 'The firewall is on.' : 'The firewall is off.', done.undo, (undo) => during('switch', undo))
  }

  async function remove({ key, rules, rule, words }: RuleRow): Promise<void> {
    const done = await during(key, () => send(deleteFirewallRule, { rules: JSON.stringify(rules) }))
    if (done) sayDone(`Deleted: ${sayRuleSentence(rule, words)}.`, done.undo)
  }

  const saved = (words: RuleWords, undo: string | null) => sayDone(`Added: ${sayRuleSentence(readRule(words), words)}.`, undo)

  return { busy, settling, toggle, remove, saved }
}
