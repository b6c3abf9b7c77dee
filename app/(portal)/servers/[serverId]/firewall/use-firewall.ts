'use client'

import { useState } from 'react'
import { type RuleWords, readRule } from '@/lib/firewall/rule'
import { operationRead } from '../../../../_shared/read-address'
import { callUndoable, showDone } from '../../../../_shared/undo/undoable'
import { deleteFirewallRule, toggleFirewall } from './actions'
import type { RuleRow } from './rule-rows'
import { formatRuleSentence } from './rule-words'

/** The actions for a server's firewall; each can be undone. */
export function useFirewall(serverId: string) {
  const refetch = [operationRead('firewall.get', { serverId })]
  const [busy, setBusy] = useState<string | null>(null)

  /** One change at a time, because the next one is based on its result. `what` is shown meanwhile. */
  const during = (what: string) => async (work: () => Promise<void>) => {
    setBusy(what)
    await work().finally(() => setBusy(null))
  }

  const toggle = (on: boolean) =>
    callUndoable(
      toggleFirewall,
      { serverId, status: on ? '1' : '0' },
      { message: on ? 'The firewall is on.' : 'The firewall is off.', refetch, during: during('switch') },
    )

  const remove = ({ key, rules, rule, words }: RuleRow) =>
    callUndoable(
      deleteFirewallRule,
      { serverId, rules: JSON.stringify(rules) },
      { message: `Deleted: ${formatRuleSentence(rule, words)}.`, refetch, during: during(key) },
    )

  const saved = (words: RuleWords, undo: string | null) =>
    showDone(`Added: ${formatRuleSentence(readRule(words), words)}.`, undo, { refetch })

  return { busy, refetch, toggle, remove, saved }
}
