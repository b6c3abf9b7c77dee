'use client'

import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'
import { Section } from '@/app/_ui/section'
import type { Answer } from '@/lib/contract/operation'
import type { apps } from '@/lib/contract/operations/apps'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { Catalogue } from './catalogue'
import { InstallByName } from './install-by-name'
import { InstalledApp } from './installed-app'
import { OnceCredentials } from './once-credentials'
import { Staging } from './staging'
import { type AppJobs, useAppChanges } from './use-app-changes'

/** userId: whose page it is. jobs: the newest of each kind. */
type Extra = { site: SiteRow; userId: string | null; mayPush: boolean; jobs: AppJobs }

/** The app of a site: installed, or what can be; and the staging copy. */
export function AppView({ id: siteId, name, first, may, extra }: SubjectViewProps<Answer<typeof apps.get>, Extra>) {
  const read = useOperation('apps.get', { siteId }, { first, everyMs: 60_000 })
  const changes = useAppChanges(siteId, extra?.jobs ?? { install: null, pull: null, push: null })
  const item = read.data?.item[0]
  if (!extra) return null
  const { site, userId, mayPush } = extra
  const { install, busy } = changes
  const changeable = site.deletingJobId === null
  const mayInstall = may && changeable
  return (
    <>
      <ReadError read={read} nothingRead={`The app of ${toReadableDomain(name)} could not be read.`} />
      {install.job ? <NewestChange job={install.job} /> : null}
      {install.job ? <OnceCredentials key={install.job.id} job={install.job} userId={userId} what="the app" /> : null}
      {item ? (
        <Section title="App">
          {item.app.name !== '' ? (
            <InstalledApp site={site} app={item.app} catalogue={item.catalogue} />
          ) : !mayInstall ? (
            <NoApp />
          ) : item.catalogue ? (
            <Catalogue siteId={siteId} catalogue={item.catalogue} busy={busy} install={install} />
          ) : (
            <InstallByName siteId={siteId} busy={busy} install={install} />
          )}
        </Section>
      ) : null}
      <Staging site={site} userId={userId} changes={changes} may={may && changeable} mayPush={mayPush && changeable} />
    </>
  )
}

const NoApp = () => (
  <Card>
    <EmptyState title="No app">
      <p>The service found no app on this site.</p>
    </EmptyState>
  </Card>
)
