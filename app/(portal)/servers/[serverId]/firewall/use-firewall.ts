'use client'

import { useState } from 'react'
import { type RuleWords, readRule } from '@/lib/firewall/rule'
import { useDeeds } from '../../../../_shared/use-deeds'
import { toast } from '../../../../_ui/toast'
import { offerUndo } from '../../../../_ui/undo-toast'
import { deleteFirewallRule, saveFirewallRule, toggleFirewall } from './actions'
import { type FirewallAnswer, fieldsOf, findRow, type RuleRow, rowsOf } from './rule-rows'
import { sayRuleSentence } from './rule-words'

/** What can be done with the firewall of a server; each step is taken back by its opposite. */
export function useFirewall(serverId: string) {
  const { send, settling, newest } = useDeeds<FirewallAnswer>('firewall.get', serverId)
  const [busy, setBusy] = useState<string | null>(null)

  /** One change at a time: the next one is made of what this one leaves. `what` is shown meanwhile. */
  async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
    setBusy(what)
    return work().finally(() => setBusy(null))
  }

  const switchTo = (on: boolean) => send(toggleFirewall, { status: on ? '1' : '0' })

  async function toggle(on: boolean): Promise<void> {
    if (!(await during('switch', () => switchTo(on)))) return
    offerUndo(on ? 'The firewall is on.' : 'The firewall is off.', () => void during('switch', () => switchTo(!on)))
  }

  const removeRow = ({ key, rules }: RuleRow) => during(key, () => send(deleteFirewallRule, { rules: JSON.stringify(rules) }))

  async function remove(row: RuleRow, all: FirewallAnswer['rules']): Promise<void> {
    if (!(await removeRow(row))) return
    const says = `Deleted: ${sayRuleSentence(row.rule, row.words)}.`
    if (row.rule === null) return void toast(says)
    offerUndo(says, () => {
      void send(saveFirewallRule, fieldsOf(row, all)).then((done) => done && toast('The rule is back.'))
    })
  }

  /** The opposite of saving a rule is deleting it, as it stands in the list by then. */
  function saved(fields: RuleWords): void {
    offerUndo(`Added: ${sayRuleSentence(readRule(fields), fields)}.`, () => {
      const row = findRow(rowsOf(newest()?.rules ?? []), fields)
      if (!row) return void toast.error('The rule is no longer there as it was added.')
      void removeRow(row).then((done) => done && toast('The rule was taken out again.'))
    })
  }

  return { busy, settling, toggle, remove, saved }
}
