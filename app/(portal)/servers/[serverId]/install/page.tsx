import type { Metadata } from 'next'
import { ForeignService } from '@/app/_shared/connections/foreign-service'
import { SandboxFrame } from '@/app/_shared/frame/sandbox-frame'
import { Notice } from '@/app/_ui/notice'
import { PageBody } from '@/app/_ui/page-head'
import { servers } from '@/lib/contract/operations/servers'
import { findOffers } from '@/lib/portal/access/decide'
import { findUsualInstall } from '@/lib/portal/jobs/usual-install'
import { type JobView, readJobEvents } from '@/lib/portal/jobs/view'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { findInstallJob, findPageServer } from '../find-page-server'
import { HeadState } from '../head-state'
import { ServerHead } from '../server-head'
import { AskInstall, InstallButton } from './ask-install'
import { BeforeInstall } from './before-install'
import { InstallProgress } from './install-progress'

type Props = { params: Promise<{ serverId: string }> }

/** How many lines come with the page; the stream brings the rest. */
const linesAtOnce = 5000

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { server } = await findPageServer((await params).serverId)
  return { title: `Install ${server.name}` }
}

export default async function InstallPage({ params }: Props) {
  const { serverId } = await params
  const [{ actor, server }, job] = await Promise.all([findPageServer(serverId), findInstallJob(serverId)])
  const lines = job ? await readJobEvents(actor, job.id, 0, linesAtOnce) : []
  const may = (await findOffers(actor, { serverId }))(servers.install)
  const outside = runsOutside(server, job)
  const usual = job || outside ? null : await findUsualInstall(actor, server)
  return (
    <ForeignService foreign={!server.extensions}>
      <SandboxFrame sandbox={server.sandbox}>
        <ServerHead actor={actor} server={server} state={<HeadState server={server} />} />
        <PageBody>
          {outside ? <FollowInstall serverId={serverId} attaches={server.extensions} may={may} /> : null}
          {job ? (
            <InstallProgress key={job.id} serverId={serverId} job={job} lines={lines} attaches={server.extensions} may={may} />
          ) : outside ? null : (
            <BeforeInstall server={server} may={may} usual={usual} />
          )}
        </PageBody>
      </SandboxFrame>
    </ForeignService>
  )
}

/** Whether the service reports a running install that is not the portal's. A list read before a job ended may still refer to that job. */
function runsOutside(server: ServerRow, job: JobView | null): boolean {
  if (server.state !== 'installing' || job === null) return server.state === 'installing'
  const settled = job.state === 'done' || job.state === 'failed'
  return settled && job.endedAt !== null && server.listedAt > job.endedAt
}

type FollowInstallProps = { serverId: string; attaches: boolean; may: boolean }

/** A running install that no job of the portal follows. */
function FollowInstall({ serverId, attaches, may }: FollowInstallProps) {
  return (
    <Notice
      tone="info"
      title="This server is being installed."
      action={
        attaches ? (
          <InstallButton serverId={serverId} label="Follow" may={may} />
        ) : (
          <AskInstall
            serverId={serverId}
            label="Follow"
            may={may}
            title="Follow this install?"
            description="Gatehouse can only follow an install of this service by sending the install request. The service may show the running install, or start a second one."
          />
        )
      }
    >
      The install was started outside Gatehouse.
    </Notice>
  )
}
