'use client'

import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import type { RemoveEach } from '@/app/_shared/collection/kind'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { Restorable } from '@/app/_shared/collection/use-removal'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { operationRead } from '@/app/_shared/reads/read-address'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { type Change, callUndoable, showDone } from '@/app/_shared/undo/undoable'
import { Button } from '@/app/_ui/button'
import { EmptyState } from '@/app/_ui/empty-state'
import { lazyComponent } from '@/app/_ui/lazy'
import { Notice } from '@/app/_ui/notice'
import { Card } from '@/app/_ui/section'
import { type RuleWords, readRule } from '@/lib/firewall/rule'
import { deleteFirewallRule, toggleFirewall } from '../actions'
import type { DeleteRisk } from './confirm-dialogs'
import {
  allowsSsh,
  type FirewallAnswer,
  formatRuleSentence,
  nameOf,
  type RuleRow,
  rowsOf,
  ruleCollection,
  ruleColumns,
  ruleMenu,
  useWayInWords,
} from './rules'

type FirewallSwitchProps = { name: string; active: boolean; busy: boolean; mayChange: boolean; onToggle: (on: boolean) => void }

/** Whether it is on, and what that means for incoming connections. */
function FirewallSwitch({ name, active, busy, mayChange, onToggle }: FirewallSwitchProps) {
  const id = useId()
  const foreign = useForeign()
  return (
    <Card className="flex items-center gap-4 px-4 py-3.5">
      <button
        type="button"
        role="switch"
        aria-checked={active}
        aria-labelledby={`${id}-state`}
        aria-describedby={`${id}-effect`}
        disabled={busy || !mayChange}
        onClick={() => onToggle(!active)}
        className={clsx(
          'relative h-6 w-11 shrink-0 rounded-chip border transition-colors duration-120 disabled:cursor-not-allowed disabled:opacity-60',
          active ? 'border-accent bg-accent' : 'border-warn bg-warn-bg',
        )}
      >
        <span
          aria-hidden
          className={clsx(
            'absolute top-[3px] left-[3px] size-4 rounded-chip transition-transform duration-120',
            active ? 'translate-x-5 bg-on-accent' : 'bg-warn',
          )}
        />
      </button>
      <div className="min-w-0">
        <p className="font-semibold">
          <span id={`${id}-state`}>Firewall</span>{' '}
          <span aria-live="polite" className={active || busy ? undefined : 'text-warn'}>
            {busy ? 'is being changed…' : active ? 'is on' : 'is off'}
          </span>
        </p>
        <p id={`${id}-effect`} className="text-small text-muted">
          {foreign
            ? `The rules below ${active ? 'are active' : 'are inactive until it is on'}.`
            : active
              ? `Only traffic that the rules below allow reaches ${name}. All other incoming traffic is refused.`
              : `Every listening port of ${name} is reachable from anywhere. The rules below are inactive until it is on.`}
        </p>
      </div>
    </Card>
  )
}

const RuleDialog = lazyComponent(() => import('./rule-dialog').then((file) => file.RuleDialog))
const SwitchOffDialog = lazyComponent(() => import('./confirm-dialogs').then((file) => file.SwitchOffDialog))
const DeleteDialog = lazyComponent(() => import('./confirm-dialogs').then((file) => file.DeleteDialog))

/** sshPort: the port that the service itself connects to. undoes: whether the server reverts a change that would lock the service out. */
type WayIn = { sshPort: number; undoes: boolean }

const web: RuleWords = { action: 'allow', protocol: 'tcp', port: '80,443', from: 'any' }

export function FirewallView({ id: serverId, name, first, may: mayChange, extra }: SubjectViewProps<FirewallAnswer, WayIn>) {
  const { sshPort, undoes } = extra ?? { sshPort: 22, undoes: false }
  const read = useOperation('firewall.get', { serverId }, { first, everyMs: 30_000 })
  const { busy, refetch, toggle, removal, remove, saved } = useFirewall(serverId)
  const [adding, setAdding] = useState<RuleWords | null>(null)
  const [switchingOff, setSwitchingOff] = useState(false)
  const [deleting, setDeleting] = useState<{ row: RuleRow; risk: DeleteRisk } | null>(null)
  const foreign = useForeign()
  const { data } = read
  const rows = useMemo(() => rowsOf(data?.rules ?? []), [data])
  const collection = useCollection(ruleCollection, rows)
  const columns = useMemo(() => ruleColumns(foreign), [foreign])
  const locksOut = (gone: readonly RuleRow[]) =>
    data?.active === true &&
    allowsSsh(rows, sshPort) &&
    !allowsSsh(
      rows.filter((row) => !gone.includes(row)),
      sshPort,
    )
  const close = () => {
    setAdding(null)
    setDeleting(null)
    requestAnimationFrame(() => document.getElementById('add-rule')?.focus())
  }
  const removeRow = (row: RuleRow) => {
    close()
    void remove(row)
  }
  const menu = ruleMenu({
    busy: busy !== null,
    onDuplicate: ({ words }) => setAdding(words),
    onDelete: (row) => {
      if (isFinal(row, foreign)) return setDeleting({ row, risk: 'final' })
      if (locksOut([row])) return setDeleting({ row, risk: 'way-in' })
      removeRow(row)
    },
  })
  const removeSelected: RemoveEach<RuleRow> = {
    may: mayChange,
    nameOf,
    refetch,
    each: removal,
    description: (selected) => (
      <>
        {locksOut(selected) ? <LockOut /> : null}
        <Restorable
          count={selected.length}
          lost={selected.filter((row) => isFinal(row, foreign)).length}
          reason="the rule has options that Gatehouse does not support"
        />
      </>
    ),
  }
  const addButton = mayChange ? (
    <Button id="add-rule" variant="primary" onClick={() => setAdding(web)} disabled={data === null}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add rule
    </Button>
  ) : null
  return (
    <>
      <ReadError read={read} nothingRead={`The firewall of ${name} could not be read.`} />
      {data === null ? null : (
        <>
          <FirewallSwitch
            name={name}
            active={data.active}
            busy={busy === 'switch'}
            mayChange={mayChange}
            onToggle={(on) => (on ? toggle(on) : setSwitchingOff(true))}
          />
          {mayChange && !data.active && !allowsSsh(rows, sshPort) ? (
            <NoSshRule sshPort={sshPort} undoes={undoes} onOpen={() => setAdding({ ...web, port: String(sshPort) })} />
          ) : null}
          <Collection
            collection={collection}
            columns={columns}
            title="Rules"
            aside={rows.length > 0 ? addButton : undefined}
            after={rows.length > 0 && !foreign ? <p className="text-small text-muted">First matching rule wins.</p> : null}
            empty={<NoRules action={addButton} />}
            {...(mayChange && { menu, remove: removeSelected })}
          />
        </>
      )}
      {adding ? (
        <RuleDialog
          serverId={serverId}
          sshPort={sshPort}
          undoes={undoes}
          rows={rows}
          begin={adding}
          refetch={refetch}
          onClose={close}
          onSaved={(words, undo) => {
            close()
            saved(words, undo)
          }}
        />
      ) : null}
      {switchingOff ? (
        <SwitchOffDialog
          name={name}
          onClose={() => setSwitchingOff(false)}
          onSwitchOff={() => {
            setSwitchingOff(false)
            void toggle(false)
          }}
        />
      ) : null}
      {deleting ? <DeleteDialog {...deleting} undoes={undoes} onClose={close} onDelete={() => removeRow(deleting.row)} /> : null}
    </>
  )
}

/** A rule that cannot be restored from here. */
const isFinal = ({ rule }: RuleRow, foreign: boolean): boolean => rule === null && !foreign

const LockOut = () => (
  <p>
    <strong className="font-semibold text-danger">{useWayInWords().description}</strong>
  </p>
)

/** The warning about a lock-out, shown before the firewall is turned on. */
const NoSshRule = ({ sshPort, undoes, onOpen }: { sshPort: number; undoes: boolean; onOpen: () => void }) => (
  <Notice tone="warn" title={`No rule allows SSH on port ${sshPort}.`} action={<Button onClick={onOpen}>Allow SSH</Button>}>
    {undoes
      ? 'If you turn the firewall on now, it locks Gatehouse out, and the server turns it off again automatically.'
      : 'If you turn the firewall on now, it may lock out whoever manages this server over SSH.'}
  </Notice>
)

function NoRules({ action }: { action: ReactNode }) {
  return (
    <Card>
      <EmptyState title="No rules yet" actions={action}>
        <p>
          A rule allows or blocks traffic by port and source.
          {useForeign() ? '' : ' While the firewall is on, traffic that matches no rule is refused.'}
        </p>
        <p>
          <code className="font-mono text-code">80,443 over TCP, from any</code>
        </p>
      </EmptyState>
    </Card>
  )
}

/** The actions for a server's firewall; each can be undone. */
function useFirewall(serverId: string) {
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
