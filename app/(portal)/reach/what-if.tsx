import { mayManage, roleNames, roles } from '@/lib/portal/access/roles'
import type { Person } from '@/lib/portal/identity/actor'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { listHolders } from '@/lib/portal/subjects/team/access/list'
import type { ReachFilter } from '@/lib/portal/views/reach/filter'
import type { ReachLine } from '@/lib/portal/views/reach/lines'
import type { ReachSubject } from '@/lib/portal/views/reach/subject'
import { WhatIfForm } from './what-if-form'

type WhatIfProps = {
  actor: Person
  subject: ReachSubject
  lines: readonly ReachLine[]
  change: Readonly<Record<string, string>>
  filter: ReachFilter
}

/** The changes that the reader could make, to see what they would do. */
export async function WhatIf({ actor, subject, lines, change, filter }: WhatIfProps) {
  const members = await listHolders(actor)
  if (members.length === 0) return null
  const [first, others] = [members.filter(({ id }) => id === subject.id), members.filter(({ id }) => id !== subject.id)]
  const ordered = [...first, ...others]
  const choices = ordered.map(({ id, name, role }) => ({ id, name: `${name}, ${roleNames[role]}` }))
  const given = lines.filter(({ difference, role }) => difference !== 'gained' && mayManage(actor.role, role))
  const grants = new Map(given.map(({ grantId, who, what, access }) => [grantId, `${who}: ${what}. ${access}`]))
  const { kind, id, name } = subject
  return (
    <WhatIfForm
      key={String(new URLSearchParams(change))}
      kept={{ of: kind, id, text: filter.text, use: filter.unused ? 'unused' : '' }}
      start={change}
      members={choices}
      roles={roles.filter((role) => mayManage(actor.role, role)).map((role) => ({ id: role, name: roleNames[role] }))}
      grants={[...grants].map(([id, name]) => ({ id, name }))}
      labels={await listLabelNames(actor)}
      place={kind === 'server' || kind === 'site' ? { kind, id, name } : undefined}
    />
  )
}
