import type { Metadata } from 'next'
import { Suspense } from 'react'
import { users } from '@/lib/contract/operations/users'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/run-operation'
import { SandboxFrame } from '../../../../_shared/sandbox-frame'
import { PageBody } from '../../../../_ui/page-head'
import { StateChip } from '../../../../_ui/state-chip'
import { lookOf } from '../../server-state'
import { findInstallJob, findPageServer } from '../find-page-server'
import { ServerHead } from '../server-head'
import { UsersSkeleton } from './users-skeleton'
import { UsersView } from './users-view'

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: `Users of ${server.name}` }
}

export default async function UsersPage({ params }: Props) {
  const { serverId } = await params
  const [{ actor, server }, job] = await Promise.all([findPageServer(serverId), findInstallJob(serverId)])
  const installed = server.state === 'ready' || server.state === ''
  return (
    <SandboxFrame sandbox={server.sandbox}>
      <ServerHead
        actor={actor}
        server={server}
        hasInstall={!installed || job !== null}
        state={<StateChip {...lookOf(server)} />}
        facts={<span className="font-mono text-code break-all">{server.hostname}</span>}
      />
      <PageBody>
        <Suspense fallback={<UsersSkeleton name={server.name} />}>
          <Accounts serverId={serverId} name={server.name} mayChange={mayRun(actor.role, 'destroy')} />
        </Suspense>
      </PageBody>
    </SandboxFrame>
  )
}

async function Accounts({ serverId, name, mayChange }: { serverId: string; name: string; mayChange: boolean }) {
  const { actor } = await findPageServer(serverId)
  const first = await runOperation(actor, users.list, { serverId })
  return <UsersView serverId={serverId} name={name} first={first} mayChange={mayChange} />
}
