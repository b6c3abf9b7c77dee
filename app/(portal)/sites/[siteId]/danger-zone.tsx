'use client'

import { useEffect, useState } from 'react'
import { withoutBackup } from '@/app/_shared/sites/without-backup'
import { Card } from '@/app/_ui/card'
import { EarlyButton } from '@/app/_ui/early-button'
import { Section } from '@/app/_ui/section'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { DeleteSite } from './delete-site'

/** Irreversible actions come last. */
export function DangerZone({ site }: { site: SiteRow }) {
  const [deleting, setDeleting] = useState(false)
  const [leavesOut, setLeavesOut] = useState(false)
  useEffect(() => {
    if (location.hash !== `#${withoutBackup}`) return
    // Once: not again with each reload.
    history.replaceState(history.state, '', location.pathname)
    setLeavesOut(true)
    setDeleting(true)
  }, [])
  return (
    <Section title="Delete">
      <Card className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="min-w-0 flex-1 basis-72 text-muted">
          {site.extensions
            ? 'Removes the site’s files, database, user and configuration from the server. A last backup is made first.'
            : 'Removes the site from the service. The service decides what happens to its files and database.'}
        </p>
        <EarlyButton id="delete-site" variant="danger" onClick={() => setDeleting(true)}>
          Delete site
        </EarlyButton>
      </Card>
      <DeleteSite site={site} leavesOut={leavesOut} open={deleting} onOpenChange={setDeleting} />
    </Section>
  )
}
