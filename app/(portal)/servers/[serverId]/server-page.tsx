import type { ReactNode } from 'react'
import { ActingConnection } from '@/app/_shared/connections/acting-connection'
import { ForeignService } from '@/app/_shared/connections/foreign-service'
import { SandboxFrame } from '@/app/_shared/frame/sandbox-frame'
import { subjectPages } from '@/app/_shared/frame/subject-page'
import { PageBody } from '@/app/_ui/page-head'
import { servers } from '@/lib/contract/operations/servers'
import { findOffers } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { findPageServer } from './find-page-server'
import { HeadState } from './head-state'
import { InstallNotice, ServerHead } from './server-head'

type FrameProps = { actor: Actor; subject: ServerRow; children: ReactNode }

/** What the pages of a server share: header, tabs, and the frame around a sandbox server. */
async function ServerFrame({ actor, subject: server, children }: FrameProps) {
  const offers = await findOffers(actor, { serverId: server.id })
  return (
    <ForeignService foreign={!server.extensions}>
      <ActingConnection label={server.acting}>
        <SandboxFrame sandbox={server.sandbox}>
          <ServerHead actor={actor} server={server} state={<HeadState server={server} />} />
          <PageBody>
            <InstallNotice server={server} offersInstall={offers(servers.install)} />
            {children}
          </PageBody>
        </SandboxFrame>
      </ActingConnection>
    </ForeignService>
  )
}

export const { subjectPage, framedPage } = subjectPages({
  find: async ({ serverId }: { serverId: string }) => {
    const { actor, server } = await findPageServer(serverId)
    return { actor, subject: server }
  },
  targetOf: ({ id }) => ({ serverId: id }),
  Frame: ServerFrame,
})
