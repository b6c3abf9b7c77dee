import { Suspense } from 'react'
import { users } from '@/lib/contract/operations/users'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/subjects/spine'
import { findPageServer } from '../find-page-server'
import { ServerPage, type ServerPageParams, titled } from '../server-page'
import { UsersSkeleton } from './users-skeleton'
import { UsersView } from './users-view'

export const generateMetadata = titled((name) => `Users of ${name}`)

export default function UsersPage({ params }: ServerPageParams) {
  return (
    <ServerPage params={params}>
      {({ actor, server }) => (
        <Suspense fallback={<UsersSkeleton name={server.name} />}>
          <Accounts serverId={server.id} name={server.name} mayChange={mayRun(actor.role, 'destroy')} />
        </Suspense>
      )}
    </ServerPage>
  )
}

async function Accounts({ serverId, name, mayChange }: { serverId: string; name: string; mayChange: boolean }) {
  const { actor } = await findPageServer(serverId)
  const first = await runOperation(actor, users.list, { serverId })
  return <UsersView serverId={serverId} name={name} first={first} mayChange={mayChange} />
}
