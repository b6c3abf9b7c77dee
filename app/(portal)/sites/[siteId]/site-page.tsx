import type { ReactNode } from 'react'
import { ActingConnection } from '@/app/_shared/connections/acting-connection'
import { ForeignService } from '@/app/_shared/connections/foreign-service'
import { SandboxFrame } from '@/app/_shared/frame/sandbox-frame'
import { subjectPages } from '@/app/_shared/frame/subject-page'
import { PageBody } from '@/app/_ui/page-head'
import { findOffers } from '@/lib/portal/access/decide'
import { may } from '@/lib/portal/access/roles'
import type { Actor } from '@/lib/portal/identity/actor'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { findPageSite } from './find-page-site'
import { SiteHead } from './site-head'
import { siteTabs } from './site-tabs'

type FrameProps = { actor: Actor; subject: SiteRow; children: ReactNode }

/** What the pages of a site share: header, tabs, and the frame around a sandbox server’s site. */
async function SiteFrame({ actor, subject: site, children }: FrameProps) {
  const offers = await findOffers(actor, { siteId: site.id })
  return (
    <ForeignService foreign={!site.extensions}>
      <ActingConnection label={site.acting}>
        <SandboxFrame sandbox={site.sandbox}>
          <SiteHead site={site} tabs={siteTabs(site, offers, may(actor.role, 'team', 'read'))} />
          <PageBody>{children}</PageBody>
        </SandboxFrame>
      </ActingConnection>
    </ForeignService>
  )
}

export const { subjectPage, framedPage } = subjectPages({
  find: ({ siteId }: { siteId: string }) => findPageSite(siteId),
  targetOf: ({ id }) => ({ siteId: id }),
  Frame: SiteFrame,
})
