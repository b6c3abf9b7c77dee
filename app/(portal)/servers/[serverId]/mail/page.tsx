import { Suspense } from 'react'
import { mail } from '@/lib/contract/operations/mail'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/subjects/spine'
import { findPageServer } from '../find-page-server'
import { RowsSkeleton } from '../rows-skeleton'
import { ServerPage, type ServerPageParams, titled } from '../server-page'
import { MailView } from './mail-view'

export const generateMetadata = titled((name) => `Mail queue of ${name}`)

export default function MailPage({ params }: ServerPageParams) {
  return (
    <ServerPage params={params}>
      {({ actor, server }) => (
        <Suspense fallback={<RowsSkeleton title="Mail queue" says={`Reading the mail queue of ${server.name}.`} />}>
          <Queue serverId={server.id} name={server.name} mayDelete={mayRun(actor.role, 'destroy')} />
        </Suspense>
      )}
    </ServerPage>
  )
}

async function Queue({ serverId, name, mayDelete }: { serverId: string; name: string; mayDelete: boolean }) {
  const { actor } = await findPageServer(serverId)
  const first = await runOperation(actor, mail.list, { serverId })
  return <MailView serverId={serverId} name={name} first={first} mayDelete={mayDelete} />
}
