import { Suspense } from 'react'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/subjects/spine'
import { findPageServer } from '../find-page-server'
import { RowsSkeleton } from '../rows-skeleton'
import { ServerPage, type ServerPageParams, titled } from '../server-page'
import { BackupsView } from './backups-view'

export const generateMetadata = titled((name) => `Backups of ${name}`)

export default function BackupsPage({ params }: ServerPageParams) {
  return (
    <ServerPage params={params}>
      {({ actor, server }) => (
        <Suspense fallback={<RowsSkeleton title="Backups" says={`Listing the backups of ${server.name}.`} />}>
          <Files serverId={server.id} name={server.name} mayDelete={mayRun(actor.role, 'destroy')} />
        </Suspense>
      )}
    </ServerPage>
  )
}

async function Files({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const { actor } = await findPageServer(serverId)
  const first = await runOperation(actor, serverBackups.list, { serverId })
  return <BackupsView serverId={serverId} name={name} first={first} mayDelete={mayDelete} />
}
