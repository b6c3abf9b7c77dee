'use client'

import { useState } from 'react'
import { operationRead } from '@/app/_shared/reads/read-address'
import { type Change, callUndoable, showDone } from '@/app/_shared/undo/undoable'
import { type RuleWords, readRule } from '@/lib/firewall/rule'
import { deleteFirewallRule, toggleFirewall } from './actions'
import type { RuleRow } from './rule-rows'
import { formatRuleSentence } from './rule-words'

/** The actions for a server's firewall; each can be undone. */
export function useFirewall(serverId: string) {
  const refetch = [operationRead('firewall.get', { serverId })]
  const [busy, setBusy] = useState<'switch' | 'rule' | null>(null)

  /** One change at a time, because the next one depends on the list that this one leaves. `what` is shown meanwhile. */
  const during = (what: 'switch' | 'rule') => async (work: () => Promise<void>) => {
    setBusy(what)
    await work().finally(() => setBusy(null))
  }

  const toggle = (on: boolean) =>
    callUndoable(
      toggleFirewall,
      { serverId, status: on ? '1' : '0' },
      { message: on ? 'The firewall is on.' : 'The firewall is off.', refetch, during: during('switch') },
    )

  /** What deletes a rule, its halves together. */
  const removal = ({ rules }: RuleRow): Change => ({ action: deleteFirewallRule, fields: { serverId, rules: JSON.stringify(rules) } })

  const remove = (row: RuleRow) => {
    const { action, fields } = removal(row)
    const message = `Deleted: ${formatRuleSentence(row.rule, row.words)}.`
    return callUndoable(action, fields, { message, refetch, during: during('rule') })
  }

  const saved = (words: RuleWords, undo: string | null) =>
    showDone(`Added: ${formatRuleSentence(readRule(words), words)}.`, undo, { refetch })

  return { busy, refetch, toggle, removal, remove, saved }
}
