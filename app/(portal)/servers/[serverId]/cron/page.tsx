import { Suspense } from 'react'
import { cron } from '@/lib/contract/operations/cron'
import { mayRun } from '@/lib/portal/access/roles'
import { runOperation } from '@/lib/portal/subjects/spine'
import { findPageServer, readSummary } from '../find-page-server'
import { ServerPage, type ServerPageParams, titled } from '../server-page'
import { CronSkeleton } from './cron-skeleton'
import { CronView } from './cron-view'

export const generateMetadata = titled((name) => `Cron on ${name}`)

export default function CronPage({ params }: ServerPageParams) {
  return (
    <ServerPage params={params}>
      {({ actor, server }) => (
        <Suspense fallback={<CronSkeleton name={server.name} />}>
          <Jobs serverId={server.id} name={server.name} mayChange={mayRun(actor.role, 'change')} />
        </Suspense>
      )}
    </ServerPage>
  )
}

async function Jobs({ serverId, name, mayChange }: { serverId: string; name: string; mayChange: boolean }) {
  const { actor } = await findPageServer(serverId)
  const [jobs, summary] = await Promise.all([runOperation(actor, cron.list, { serverId }), readSummary(serverId)])
  const timeZone = summary.ok ? (summary.data.item[0].timezone ?? '') : ''
  return <CronView serverId={serverId} name={name} first={jobs} timeZone={timeZone} mayChange={mayChange} />
}
