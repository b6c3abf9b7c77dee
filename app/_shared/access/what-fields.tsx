'use client'

import { accessEffects, accessSubjects } from '@/lib/text/access'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { useFormState } from '../../_ui/form-state'
import { Select } from '../../_ui/input'
import type { AccessDraft } from './draft'
import { type Template, templates } from './templates'

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
