import type { Metadata } from 'next'
import { Suspense } from 'react'
import { mail } from '@/lib/contract/operations/mail'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/run-operation'
import { SandboxFrame } from '../../../../_shared/sandbox-frame'
import { PageBody } from '../../../../_ui/page-head'
import { StateChip } from '../../../../_ui/state-chip'
import { lookOf } from '../../server-state'
import { findInstallJob, findPageServer } from '../find-page-server'
import { RowsSkeleton } from '../rows-skeleton'
import { ServerHead } from '../server-head'
import { MailView } from './mail-view'

type Props = { params: Promise<{ serverId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: `Mail queue of ${server.name}` }
}

export default async function MailPage({ params }: Props) {
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
        <Suspense fallback={<RowsSkeleton title="Mail queue" says={`Reading the mail queue of ${server.name}.`} />}>
          <Queue serverId={serverId} name={server.name} mayDelete={mayRun(actor.role, 'destroy')} />
        </Suspense>
      </PageBody>
    </SandboxFrame>
  )
}

async function Queue({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const { actor } = await findPageServer(serverId)
  const first = await runOperation(actor, mail.list, { serverId })
  return <MailView serverId={serverId} name={name} first={first} mayDelete={mayDelete} />
}
