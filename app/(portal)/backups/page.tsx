import type { Metadata } from 'next'
import { Suspense } from 'react'
import { ListSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { Card } from '@/app/_ui/section'
import { mayKeep } from '@/lib/portal/access/roles'
import { listOffersEverywhere } from '@/lib/portal/batches/offers'
import { type Person, requireActor } from '@/lib/portal/identity/actor'
import { listUsableTargets } from '@/lib/portal/subjects/backup-targets/find'
import { seesTargets } from '@/lib/portal/views/backups/copies'
import { type BackupList, findKnownBackups, listBackups } from '@/lib/portal/views/backups/list'
import { AskInWords } from '../../_shared/access-requests/ask-here'
import { firstRowsOf, type SearchParams } from '../../_shared/collection/first-rows'
import { ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { backupCollection } from './backup-lines'
import { BackupsView } from './backups-view'

export const metadata: Metadata = { title: 'Backups' }

/** Shows immediately what is known; the page then lists from the services, which may take time. */
export default async function BackupsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [actor, search] = await Promise.all([requireActor(), searchParams])
  const known = await findKnownBackups(actor)
  if (known) return <List actor={actor} search={search} list={known} />
  return (
    <Suspense fallback={<ListSkeleton title="Backups" />}>
      <List actor={actor} search={search} list={listBackups(actor)} />
    </Suspense>
  )
}

type ListProps = { actor: Person; search: SearchParams; list: BackupList | Promise<BackupList> }

async function List({ actor, search, list }: ListProps) {
  const { backups, connections } = await list
  const sees = seesTargets(actor)
  const [offers, targets] = await Promise.all([
    listOffersEverywhere(actor, 'site'),
    sees ? listUsableTargets(actor, { working: true }) : null,
  ])
  const first = { ...(await firstRowsOf(backupCollection, backups, search)), connections }
  const unread = connections.some(({ problem }) => problem !== null)
  const empty = <NoBackups actor={actor} unread={unread} asks={backups.length === 0} />
  const actions = sees ? <ButtonLink href="/team/backup-targets">Backup targets</ButtonLink> : null
  return (
    <>
      <PageHead wide title="Backups" actions={actions} />
      <PageBody wide>
        <BackupsView first={first} offers={offers} targets={targets} mayAddTarget={mayKeep(actor.role, 'own')} empty={empty} />
      </PageBody>
    </>
  )
}

/** unread: whether some connection could not be listed. asks: whether it is shown at once, with what a member without access can do. */
const NoBackups = ({ actor, unread, asks }: { actor: Person; unread: boolean; asks: boolean }) => (
  <Card>
    <EmptyState title={unread ? 'No sites known' : 'No sites yet'}>
      <p>Servers back up their sites every night. This page shows when each site was last backed up, and where its copies are.</p>
      {asks ? <AskInWords actor={actor} /> : null}
    </EmptyState>
  </Card>
)
