'use client'

import { useId } from 'react'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import type { AccessDraft, AccessPlace, Where } from './draft'

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
