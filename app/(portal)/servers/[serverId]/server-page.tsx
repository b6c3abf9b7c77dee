import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { mayRun } from '@/lib/portal/access/roles'
import type { Actor } from '@/lib/portal/identity/actor'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { BeginAsked } from '../../../_shared/palette/begin-asked'
import { SandboxFrame } from '../../../_shared/sandbox-frame'
import { PageBody } from '../../../_ui/page-head'
import { findInstallJob, findPageServer } from './find-page-server'
import { ForeignService } from './foreign-service'
import { HeadState } from './head-state'
import { InstallNotice } from './install-notice'
import { ServerHead } from './server-head'

export type ServerPageParams = { params: Promise<{ serverId: string }> }

/** Makes a page's generateMetadata from what its window is called, given the server's name. */
export const titled =
  (say: (name: string) => string) =>
  async ({ params }: ServerPageParams): Promise<Metadata> => ({ title: say((await findPageServer((await params).serverId)).server.name) })

type ServerPageProps = ServerPageParams & { children: (found: { actor: Actor; server: ServerRow }) => ReactNode }

/** What the pages below a server's own share: head, tabs, and the frame that tells a simulated one. */
export async function ServerPage({ params, children }: ServerPageProps) {
  const { serverId } = await params
  const [found, job] = await Promise.all([findPageServer(serverId), findInstallJob(serverId)])
  const { actor, server } = found
  return (
    <ForeignService foreign={!server.extensions}>
      <SandboxFrame sandbox={server.sandbox}>
        <ServerHead
          actor={actor}
          server={server}
          hasInstall={server.state !== 'ready' || job !== null}
          state={<HeadState server={server} />}
          facts={<span className="font-mono text-code break-all">{server.hostname}</span>}
        />
        <PageBody>
          <InstallNotice server={server} offersInstall={mayRun(actor.role, 'change')} />
          {children(found)}
        </PageBody>
        <BeginAsked />
      </SandboxFrame>
    </ForeignService>
  )
}
