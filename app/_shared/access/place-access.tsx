import { roleNames, roles } from '@/lib/portal/access/roles'
import type { Person } from '@/lib/portal/identity/actor'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { listAccessTo, listHolders } from '@/lib/portal/subjects/team/access/list'
import { ButtonLink } from '../../_ui/button'
import { Notice } from '../../_ui/notice'
import { Section } from '../../_ui/section'
import { AddAccess } from './access-dialog'
import { AccessTable } from './access-table'
import type { AccessPlace, HolderChoice } from './draft'

type PlaceAccessProps = { actor: Person; place: AccessPlace }

/** Who can reach a server or site, and through which access. */
export async function PlaceAccess({ actor, place }: PlaceAccessProps) {
  const [rows, members] = await Promise.all([listAccessTo(actor, place), listHolders(actor)])
  if (rows === null) return <Notice tone="info" title="You cannot see who else has access." />
  const labels = members.length > 0 ? await listLabelNames(actor) : []
  const holders: HolderChoice[] = [
    ...members.map((member) => ({
      value: `member ${member.id}`,
      name: `${member.name}, ${roleNames[member.role]}`,
      guest: member.role === 'guest',
    })),
    ...roles
      .filter((role) => role !== 'owner' || actor.role === 'owner')
      .map((role) => ({ value: `role ${role}`, name: `Everyone with the role ${roleNames[role]}`, guest: role === 'guest' })),
  ]
  const aside =
    members.length > 0 ? (
      <span className="flex flex-wrap justify-end gap-2">
        <ButtonLink href={`/reach?of=${place.kind}&id=${place.id}`}>Reach</ButtonLink>
        <AddAccess holders={holders} place={place} labels={labels} />
      </span>
    ) : null
  return (
    <Section title="Access" count={rows.length} aside={aside}>
      <AccessTable
        rows={rows}
        of="place"
        place={place}
        labels={labels}
        none={`Nobody has access to ${place.name}.${members.length > 0 ? ' Add access to let a member work with it.' : ''}`}
      />
    </Section>
  )
}
