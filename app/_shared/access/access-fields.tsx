'use client'

import { useId, useState } from 'react'
import { accessEffects, accessSubjects } from '@/lib/text/access'
import { Button } from '../../_ui/button'
import { useTimeZone } from '../../_ui/clock'
import { Field } from '../../_ui/field'
import { useFormState } from '../../_ui/form-state'
import { Input, Select } from '../../_ui/input'
import { TimeField } from '../../_ui/time-field'
import { isoOf, wallTimeOf } from '../../_ui/time-in-zone'
import { type AccessDraft, type AccessPlace, type Template, templates, type Where } from './draft'

type WhereFieldsProps = {
  draft: AccessDraft
  onChange: (part: Partial<AccessDraft>) => void
  place: AccessPlace | undefined
  labels: readonly string[]
}

/** All of it, some by name, or whatever carries a label. */
export function WhereFields({ draft, onChange, place, labels }: WhereFieldsProps) {
  const known = useId()
  const choices: readonly { value: Where; name: string }[] = [
    ...(place ? [{ value: 'here' as const, name: `Only ${place.name}` }] : []),
    { value: 'named', name: 'Servers and sites by name' },
    { value: 'label', name: 'Everything with a label' },
    { value: 'everything', name: 'All servers and sites' },
  ]
  return (
    <>
      <input type="hidden" name="where" value={draft.where === 'here' ? place?.kind : draft.where} />
      <input type="hidden" name="placeId" value={place?.id ?? ''} />
      <Field name="where" label="Where" hint={draft.where === 'label' ? 'Whatever gets the label later is included.' : undefined}>
        {({ name: _, defaultValue: __, ...control }) => (
          <Select {...control} value={draft.where} onChange={(event) => onChange({ where: event.target.value as Where })}>
            {choices.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.where === 'named' ? (
        <Field name="names" label="Names" hint="Names of servers and domains of sites, separated by commas. A server includes its sites.">
          {({ defaultValue: _, ...control }) => (
            <Input
              {...control}
              required
              value={draft.names}
              autoComplete="off"
              onChange={(event) => onChange({ names: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      {draft.where === 'label' ? (
        <Field name="label" label="Label">
          {({ defaultValue: _, ...control }) => (
            <>
              <Input
                {...control}
                required
                value={draft.label}
                list={known}
                autoComplete="off"
                onChange={(event) => onChange({ label: event.target.value })}
              />
              <datalist id={known}>
                {labels.map((label) => (
                  <option key={label} value={label} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      ) : null}
    </>
  )
}

/** The start and the end as typed, in the time zone of whoever looks. */
type Period = { start: string; end: string }

/** ISO; null if empty or not complete. */
type PeriodOf = { from: string | null; until: string | null }

/** Of a grant or a loan; a start that is over is not shown, because it is not chosen again. */
export function usePeriodFields(row: { from: string; until: string | null; state: 'planned' | 'valid' | 'ended' } | undefined) {
  const timeZone = useTimeZone()
  const [period, setPeriod] = useState<Period>(() => ({
    start: row?.state === 'planned' ? wallTimeOf(row.from, timeZone) : '',
    end: row?.until ? wallTimeOf(row.until, timeZone) : '',
  }))
  const chosen: PeriodOf = { from: isoOf(period.start, timeZone), until: isoOf(period.end, timeZone) }
  return { period, setPeriod, chosen }
}

type PeriodFieldsProps = { period: Period; chosen: PeriodOf; onChange: (period: Period) => void }

/** From when and until when; both may be empty. */
export function PeriodFields({ period, chosen, onChange }: PeriodFieldsProps) {
  const timeZone = useTimeZone()
  const { start, end } = period
  return (
    <>
      <input type="hidden" name="from" value={chosen.from ?? (start === '' ? '' : 'incomplete')} />
      <input type="hidden" name="until" value={chosen.until ?? (end === '' ? '' : 'incomplete')} />
      <TimeField
        kind="moment"
        name="from"
        label="From"
        optional
        hint="Leave it empty to begin at once."
        value={start}
        onChange={(typed) => onChange({ start: typed, end })}
      />
      <TimeField
        kind="moment"
        name="until"
        label="Until"
        optional
        hint={`In the time zone ${timeZone}. Leave it empty for no end.`}
        value={end}
        onChange={(typed) => onChange({ start, end: typed })}
      />
    </>
  )
}

type PartProps = { draft: AccessDraft; onChange: (part: Partial<AccessDraft>) => void }

/** A template, or the parts one by one. asked: what a request asks for, as one more template. */
export function WhatFields({ draft, onChange, asked }: PartProps & { asked?: Template }) {
  const offered = asked ? [asked, ...templates] : templates
  const chosen = offered.find(({ id }) => id === draft.template)
  const choose = (id: string) => onChange({ template: id, ...offered.find((template) => template.id === id)?.work })
  return (
    <>
      <input type="hidden" name="subjects" value={draft.subjects === 'all' ? '*' : draft.subjects.join(',')} />
      <input type="hidden" name="effects" value={draft.effects.join(',')} />
      <input type="hidden" name="root" value={draft.root ? '1' : ''} />
      <Field name="template" label="What" hint={chosen?.hint ?? 'Choose the parts below.'}>
        {({ name: _, defaultValue: __, ...control }) => (
          <Select {...control} value={draft.template} onChange={(event) => choose(event.target.value)}>
            {offered.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value="custom">Custom</option>
          </Select>
        )}
      </Field>
      {draft.template === 'custom' ? <Parts draft={draft} onChange={onChange} /> : null}
    </>
  )
}

const toggled = (list: readonly string[], word: string): string[] =>
  list.includes(word) ? list.filter((each) => each !== word) : [...list, word]

function Parts({ draft: { subjects, effects, root }, onChange }: PartProps) {
  const { errors } = useFormState()
  const named = subjects === 'all' ? Object.keys(accessSubjects) : subjects
  return (
    <>
      <Checks
        legend="May"
        error={errors.effects}
        names={accessEffects}
        chosen={effects}
        onToggle={(word) => onChange({ effects: toggled(effects, word) })}
      />
      <Checks
        legend="Of what"
        error={errors.subjects}
        names={accessSubjects}
        chosen={named}
        onToggle={(word) => onChange({ subjects: toggled(named, word) })}
        onAll={(all) => onChange({ subjects: all ? 'all' : [] })}
      />
      <Check
        label="Also what amounts to root on a server: install, SSH key, system users, cron jobs, firewall"
        checked={root}
        onToggle={() => onChange({ root: !root })}
      />
    </>
  )
}

type ChecksProps = {
  legend: string
  error: string | undefined
  names: Readonly<Record<string, string>>
  chosen: readonly string[]
  onToggle: (word: string) => void
  /** Chooses all of a long list, or none. */
  onAll?: (all: boolean) => void
}

function Checks({ legend, error, names, chosen, onToggle, onAll }: ChecksProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-small font-semibold">{legend}</legend>
      <div className="grid gap-x-4 tablet:grid-cols-2">
        {Object.entries(names).map(([word, name]) => (
          <Check key={word} label={name} checked={chosen.includes(word)} onToggle={() => onToggle(word)} />
        ))}
      </div>
      {onAll ? (
        <Button className="mt-1" onClick={() => onAll(chosen.length === 0)}>
          {chosen.length === 0 ? 'Choose all' : 'Choose none'}
        </Button>
      ) : null}
      {error ? <p className="text-small text-danger">{error}</p> : null}
    </fieldset>
  )
}

/** On a phone its box is as large as a finger needs, whichever way the browser is pointed with. */
export const Check = ({ label, checked, onToggle }: { label: string; checked: boolean; onToggle: () => void }) => (
  <label className="flex min-h-7 cursor-pointer items-center gap-2 touch:min-h-10 max-tablet:min-h-10">
    <input type="checkbox" checked={checked} onChange={onToggle} className="size-4 shrink-0 accent-accent max-tablet:size-6" />
    <span className="first-letter:uppercase">{label}</span>
  </label>
)
