'use client'

import { CollectionSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { toReadableDomain } from '@/lib/text/idn'
import { namedTables, reportedTables } from './copied-tables'
import { CopyActions } from './copy-actions'
import { StagingAccess } from './staging-access'
import { StagingFacts } from './staging-facts'
import { StagingFrame, type StagingProps } from './staging-frame'

/** The staging copy of a site, and copying between the two. */
export function Staging(props: StagingProps) {
  return useForeign() ? <UnreportedStaging {...props} /> : <ReportedStaging {...props} />
}

/** Of a service that tells about it. One that announces extensions need not have this one. */
function ReportedStaging(props: StagingProps) {
  const { site, may, mayPush, changes } = props
  const read = useOperation('apps.staging', { siteId: site.id }, { everyMs: 60_000 })
  const live = toReadableDomain(site.domain)
  const { data, problem } = read
  if (data === null && (problem?.code === 'not_built' || problem?.code === 'not_found')) return <UnreportedStaging {...props} />
  if (data === null && !problem) return <CollectionSkeleton title="Staging" waitsFor={`Reading the staging copy of ${live}.`} />
  const copy = data?.item[0]
  const actions = copy ? (
    <CopyActions
      site={site}
      changes={changes}
      may={may}
      mayPush={mayPush && copy.exists}
      reported
      exists={copy.exists}
      copy={toReadableDomain(copy.domain)}
      tables={reportedTables(copy)}
      filesBytes={copy.files_bytes ?? null}
      mixed={copy.mixed}
      liveChanges={copy.live_changes ?? null}
      unread={null}
    />
  ) : null
  return (
    <>
      <ReadError read={read} nothingRead={`The staging copy of ${live} could not be read.`} />
      {copy ? (
        <StagingFrame {...props} actions={actions}>
          <StagingFacts site={site} copy={copy} changes={changes} may={may} />
          {copy.exists && copy.access ? <StagingAccess site={site} may={may} access={copy.access} /> : null}
        </StagingFrame>
      ) : null}
    </>
  )
}

/** Nothing is known but the names of the tables. */
function UnreportedStaging(props: StagingProps) {
  const { site, may, mayPush, changes } = props
  const { data, problem } = useOperation('database.tables', { siteId: site.id }, { everyMs: 60_000 })
  return (
    <StagingFrame
      {...props}
      actions={
        <CopyActions
          site={site}
          changes={changes}
          may={may}
          mayPush={mayPush}
          reported={false}
          exists
          copy="the staging copy"
          tables={namedTables(data?.tables ?? [])}
          filesBytes={null}
          mixed={false}
          liveChanges={null}
          unread={data ? null : problem ? `The tables could not be listed: ${problem.sentence}` : 'Listing the tables…'}
        />
      }
    >
      <p className="max-w-[76ch] text-muted">
        A pull copies the live site to its staging copy, a push copies it back. The service does not report where the copy is, or whether it
        exists.
      </p>
    </StagingFrame>
  )
}
