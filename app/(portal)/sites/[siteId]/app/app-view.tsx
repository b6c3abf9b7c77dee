'use client'

import { ExternalLink } from 'lucide-react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { webAddressOf } from '@/app/_shared/sites/web-address'
import { Button, ButtonLink } from '@/app/_ui/button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Facts } from '@/app/_ui/facts'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import { Card, Section } from '@/app/_ui/section'
import type { Answer } from '@/lib/contract/operation'
import type { apps } from '@/lib/contract/operations/apps'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { installApp } from '../actions'
import { OnceCredentials } from './once-credentials'
import { Staging } from './staging'
import { type AppChange, type AppJobs, controlIds, followChange, useAppChanges } from './use-app-changes'

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

type InstallByNameProps = { siteId: string; busy: boolean; install: AppChange }

/** For a service that does not say which apps it has. */
const InstallByName = ({ siteId, busy, install }: InstallByNameProps) => (
  <Card className="p-4">
    <ActionForm
      action={installApp}
      refetch={install.starting}
      onDone={(started) => followChange(install, started, 'The app was installed.')}
      className="flex max-w-[520px] flex-col gap-4"
    >
      {(pending) => (
        <>
          <input type="hidden" name="siteId" value={siteId} />
          <Field
            name="app"
            label="Name of the app"
            hint="The service found no app on this site and does not list what it can install. It decides what happens to files of the site."
          >
            {(control) => (
              <Input
                {...control}
                code
                required
                maxLength={64}
                placeholder="wordpress"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
              />
            )}
          </Field>
          <div>
            <Button id={controlIds.install} type="submit" disabled={pending || busy}>
              Install app
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  </Card>
)

type CatalogueProps = { siteId: string; catalogue: Catalogued; busy: boolean; install: AppChange }

/** The apps that the service can install on an empty site. */
function Catalogue({ siteId, catalogue, busy, install }: CatalogueProps) {
  if (catalogue.length === 0) {
    return (
      <Card>
        <EmptyState title="No apps to install">
          <p>The service offers no apps.</p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <p className="max-w-[76ch] text-muted">Apps can be installed only while the site is empty. An installed app may update itself.</p>
      <ul className="grid gap-3 tablet:grid-cols-2">
        {catalogue.map(({ app, title, version }, at) => (
          <li key={app}>
            <Card className="h-full p-4">
              <ActionForm
                action={installApp}
                refetch={install.starting}
                onDone={(started) => followChange(install, started, `${title} was installed.`)}
                className="flex flex-col gap-3"
              >
                {(pending) => (
                  <div className="flex flex-wrap items-center justify-between gap-3">
                    <input type="hidden" name="siteId" value={siteId} />
                    <input type="hidden" name="app" value={app} />
                    <p className="flex min-w-0 flex-col">
                      <span className="font-semibold wrap-anywhere">{title}</span>
                      <span className="text-small wrap-anywhere text-muted">{version}</span>
                    </p>
                    <Button
                      {...(at === 0 && { id: controlIds.install })}
                      type="submit"
                      aria-label={`Install ${title}`}
                      disabled={pending || busy}
                    >
                      Install
                    </Button>
                  </div>
                )}
              </ActionForm>
            </Card>
          </li>
        ))}
      </ul>
    </>
  )
}

type Item = Answer<typeof apps.get>['item'][0]

type Catalogued = NonNullable<Item['catalogue']>

type InstalledAppProps = { site: SiteRow; app: Item['app']; catalogue: Catalogued | undefined }

/** Which app a site has, and whether the app offers a newer version of itself. */
function InstalledApp({ site, app: { name, version, update = '' }, catalogue }: InstalledAppProps) {
  const title = catalogue?.find(({ app }) => app === name)?.title ?? name
  const address = webAddressOf(site)
  return (
    // Takes the focus of the form that it replaces.
    <div id={controlIds.install} tabIndex={-1} className="flex flex-col gap-2.5 outline-none">
      {update === '' ? null : (
        <Notice
          tone="info"
          title={`${title} ${update} is available.`}
          action={
            address && (
              <ButtonLink href={address} target="_blank" rel="noopener noreferrer">
                <ExternalLink aria-hidden size={16} strokeWidth={1.5} />
                Open site
              </ButtonLink>
            )
          }
        >
          Sign in to the app as its administrator to update it.
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'App', value: title },
          { label: 'Version', value: version },
        ]}
      />
    </div>
  )
}
