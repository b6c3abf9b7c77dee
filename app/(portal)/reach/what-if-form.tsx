'use client'

import { useState } from 'react'
import { Card } from '@/app/_ui/section'
import { WhatFields, WhereFields } from '../../_shared/access/access-fields'
import { type AccessDraft, type AccessPlace, draftOf, templateOf, type Where } from '../../_shared/access/draft'
import { FilterForm } from '../../_shared/forms/filter-form'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { SearchSelect } from '../../_ui/search-select'
import { TimeField } from '../../_ui/time-field'

/** Members of the address that a form keeps. */
export const HiddenFields = ({ values }: { values: Readonly<Record<string, string>> }) =>
  Object.entries(values).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)

type Named = { id: string; name: string }

type WhatIfFormProps = {
  /** The members of the query that stay. */
  kept: Readonly<Record<string, string>>
  /** The change that is shown, as the query has it. */
  start: Readonly<Record<string, string>>
  members: readonly Named[]
  roles: readonly Named[]
  grants: readonly Named[]
  labels: readonly string[]
  place?: AccessPlace | undefined
}

const kinds: readonly Named[] = [
  { id: 'removeMember', name: 'a member is removed' },
  { id: 'changeRole', name: 'a member gets another role' },
  { id: 'setEnd', name: 'a membership ends' },
  { id: 'endGrant', name: 'access is ended' },
  { id: 'giveGrant', name: 'access is added' },
]

/** A plain GET form: the change is in the address, and nothing is saved. */
export function WhatIfForm(props: WhatIfFormProps) {
  const { kept, start, members, roles, grants } = props
  const [kind, setKind] = useState(start.if ?? 'removeMember')
  const aboutMember = kind === 'removeMember' || kind === 'changeRole' || kind === 'setEnd'
  return (
    <Card className="px-4 py-3">
      <details open={start.if !== undefined}>
        <summary className="cursor-pointer font-semibold">What if …</summary>
        <div className="mt-3">
          <FilterForm action="/reach" label="What if">
            <HiddenFields values={kept} />
            <Choice name="if" label="Change" choices={kinds} value={kind} onChange={setKind} />
            {aboutMember ? <Choice name="member" label="Member" choices={members} value={start.member} /> : null}
            {kind === 'changeRole' ? <Choice name="role" label="New role" choices={roles} value={start.role} /> : null}
            {kind === 'setEnd' ? <LastDay start={start.endsOn} /> : null}
            {kind === 'endGrant' ? <Choice name="grant" label="Access" choices={grants} value={start.grant} /> : null}
            {kind === 'giveGrant' ? <NewAccess {...props} /> : null}
            <Button type="submit">Show</Button>
          </FilterForm>
        </div>
      </details>
    </Card>
  )
}

type ChoiceProps = {
  name: string
  label: string
  choices: readonly Named[]
  value: string | undefined
  onChange?: (value: string) => void
}

function Choice({ name, label, choices, value, onChange }: ChoiceProps) {
  return (
    <Field name={name} label={label} className="w-64 max-tablet:w-full">
      {({ defaultValue: _, ...control }) => (
        <SearchSelect
          {...control}
          choices={choices.map(({ id, name: shown }) => ({ value: id, label: shown }))}
          defaultValue={value}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

const LastDay = ({ start }: { start: string | undefined }) => (
  <TimeField kind="date" name="endsOn" label="Last day" className="w-44" hint="Empty for no end." defaultValue={start} />
)

function NewAccess({ start, members, roles, labels, place }: WhatIfFormProps) {
  const [draft, setDraft] = useState(() => startDraft(start, place))
  const change = (part: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...part }))
  const holders = [
    ...members.map(({ id, name }) => ({ id: `member ${id}`, name })),
    ...roles.map(({ id, name }) => ({ id: `role ${id}`, name: `Everyone with the role ${name}` })),
  ]
  return (
    <div className="flex w-full max-w-[72ch] flex-col gap-3">
      <Choice name="to" label="Who" choices={holders} value={start.to} />
      <WhatFields draft={draft} onChange={change} />
      <WhereFields draft={draft} onChange={change} place={place} labels={labels} />
    </div>
  )
}

/** The access that a query describes, as the fields of the form show it. */
const wheres: readonly string[] = ['everything', 'named', 'label'] satisfies Where[]

const isWhere = (text: string | undefined): text is Where => text !== undefined && wheres.includes(text)

const split = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean)

/** The first template if the query describes none. place: of the page, if it is about one. */
function startDraft(query: Readonly<Record<string, string>>, place: AccessPlace | undefined): AccessDraft {
  if (query.if !== 'giveGrant') return draftOf(undefined, place)
  const subjects = query.subjects === '*' ? ('all' as const) : split(query.subjects)
  const work = { subjects, effects: split(query.effects), root: query.root === '1' }
  const where = isWhere(query.where) ? query.where : place ? 'here' : 'named'
  return { template: templateOf(work)?.id ?? 'custom', ...work, where, names: query.names ?? '', label: query.label ?? '' }
}
