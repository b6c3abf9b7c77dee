'use client'

import { useId, useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ActionForm } from '@/app/_shared/forms/action-form'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input, Select } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import { covers } from '@/lib/firewall/order'
import { type Action, type Protocol, type RuleWords, readRule } from '@/lib/firewall/rule'
import { saveFirewallRule } from '../actions'
import { findRow, formatRuleSentence, type RuleRow } from './rules'

type RuleDialogProps = {
  serverId: string
  sshPort: number
  undoes: boolean
  rows: readonly RuleRow[]
  /** The initial values. */
  begin: RuleWords
  /** The reads that show it. */
  refetch: readonly AnyRead[]
  onClose: () => void
  /** undo: the id that undoes it. */
  onSaved: (words: RuleWords, undo: string | null) => void
}

type Preset = { label: string; words: RuleWords }

const open = (label: string, port: string, from = 'any'): Preset => ({ label, words: { action: 'allow', protocol: 'tcp', port, from } })

const presetsOf = (sshPort: number): readonly Preset[] => [
  open('Web: HTTP and HTTPS', '80,443'),
  open('SSH', String(sshPort)),
  open('Mail: receiving, sending, reading', '25,465,587,993'),
  open('Database, from one address', '3306', ''),
  { label: 'Block one address', words: { action: 'deny', protocol: 'any', port: 'any', from: '' } },
]

const actionWords: Readonly<Record<Action, string>> = {
  allow: 'Allow',
  limit: 'Rate-limit',
  deny: 'Drop (no reply)',
  reject: 'Refuse (with reply)',
}

const protocolWords: Readonly<Record<Protocol, string>> = { tcp: 'TCP', udp: 'UDP', any: 'Any' }

const plain = { code: true, required: true, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** The form for one rule, with its meaning shown while typing. */
export function RuleDialog({ serverId, sshPort, undoes, rows, begin, refetch, onClose, onSaved }: RuleDialogProps) {
  const [words, setWords] = useState(begin)
  const change = (some: Partial<RuleWords>) => setWords((before) => ({ ...before, ...some }))
  const rule = readRule(words)
  const same = findRow(rows, words)
  const ssh = readRule({ action: 'allow', protocol: 'tcp', port: String(sshPort), from: 'any' })
  const shutsUs = rule !== null && ssh !== null && (rule.action === 'deny' || rule.action === 'reject') && covers(rule, ssh)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add rule"
      description={useForeign() ? 'The service adds one rule.' : 'Adds one rule. No other rule changes.'}
    >
      <ActionForm
        action={saveFirewallRule}
        refetch={refetch}
        onDone={({ undo }) => onSaved(words, undo)}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            <input type="hidden" name="serverId" value={serverId} />
            <PresetField presets={presetsOf(sshPort)} words={words} onChange={setWords} />
            <RuleFields words={words} onChange={change} />
            <p role="status" className="rounded-control bg-sunken px-3 py-2 wrap-anywhere">
              {rule ? `${formatRuleSentence(rule, words)}.` : 'Enter the port and the source.'}
            </p>
            {same && !pending ? <Notice tone="info" title="This rule already exists." /> : null}
            {shutsUs ? (
              <Notice tone="warn" title="This also affects SSH.">
                {undoes
                  ? 'If Gatehouse cannot log in afterwards, the server undoes the change automatically.'
                  : 'It may lock out whoever manages this server.'}
              </Notice>
            ) : null}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending || same?.families === 'both'}>
                {pending ? 'Adding…' : 'Add rule'}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type PresetFieldProps = { presets: readonly Preset[]; words: RuleWords; onChange: (words: RuleWords) => void }

function PresetField({ presets, words, onChange }: PresetFieldProps) {
  const id = useId()
  const place = presets.findIndex((preset) => JSON.stringify(preset.words) === JSON.stringify(words))
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-small font-semibold">
        Template
      </label>
      <Select
        id={id}
        value={place < 0 ? '' : String(place)}
        onChange={(event) => {
          const preset = event.target.value === '' ? undefined : presets[Number(event.target.value)]
          if (preset) onChange(preset.words)
        }}
      >
        <option value="">Custom</option>
        {presets.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  )
}

function RuleFields({ words, onChange }: { words: RuleWords; onChange: (some: Partial<RuleWords>) => void }) {
  return (
    <>
      <Field name="action" label="Action">
        {(control) => (
          <Select {...control} value={words.action} onChange={(event) => onChange({ action: event.target.value })}>
            {Object.entries(actionWords).map(([action, label]) => (
              <option key={action} value={action}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid grid-cols-[1fr_8rem] gap-3">
        <Field name="port" label="Port" hint="80, a list 80,443, a range 6000:6007, or any.">
          {(control) => <Input {...control} {...plain} value={words.port} onChange={(event) => onChange({ port: event.target.value })} />}
        </Field>
        <Field name="protocol" label="Protocol">
          {(control) => (
            <Select {...control} value={words.protocol} onChange={(event) => onChange({ protocol: event.target.value })}>
              {Object.entries(protocolWords).map(([protocol, label]) => (
                <option key={protocol} value={protocol}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field name="from" label="From" hint="An address 192.0.2.7, a network 10.0.0.0/8, or any.">
        {(control) => (
          <Input
            {...control}
            {...plain}
            title="Enter an address, a network, or any."
            value={words.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
