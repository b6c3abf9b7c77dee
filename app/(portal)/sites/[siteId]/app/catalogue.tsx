'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'
import { installApp } from './actions'
import type { Catalogued } from './installed-app'
import { type AppChange, controlIds, followChange } from './use-app-changes'

type CatalogueProps = { siteId: string; catalogue: Catalogued; busy: boolean; install: AppChange }

/** The apps that the service can install on an empty site. */
export function Catalogue({ siteId, catalogue, busy, install }: CatalogueProps) {
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
