import type { Metadata } from 'next'
import { may } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { listAccessRequests } from '@/lib/portal/subjects/team/requests/list'
import { RequestsView } from './requests-view'

export const metadata: Metadata = { title: 'Access requests' }

/** What others ask for, for those who can approve it, and what the reader asked for. */
export default async function AccessRequestsPage() {
  const actor = await requireActor()
  const answers = may(actor.role, 'team', 'change')
  const [first, labels] = await Promise.all([listAccessRequests(actor), answers ? listLabelNames(actor) : []])
  return <RequestsView first={first} labels={labels} answers={answers} />
}
