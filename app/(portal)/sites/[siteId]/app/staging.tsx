'use client'

import { type ReactNode, useState } from 'react'
import { AskInstead } from '@/app/_shared/access-requests/ask-context'
import { CollectionSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { focusIfLost } from '@/app/_shared/forms/keep-focus'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { ChoiceCards } from '@/app/_ui/choice-cards'
import { countOf } from '@/app/_ui/count'
import { EarlyButton } from '@/app/_ui/early-button'
import { Section } from '@/app/_ui/section'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { pushSite } from '../actions'
import { ChooseParts, useCopiedParts } from './copied-parts'
import { namedTables, reportedTables, type StagingCopy } from './copied-tables'
import { OnceCredentials } from './once-credentials'
import { type CopyDialogProps, FromTo, NotOneMoment, PullDialog } from './pull-dialog'
import { StagingAccess, StagingFacts } from './staging-facts'
import { type AppChanges, controlIds, followChange } from './use-app-changes'

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

type StagingProps = { site: SiteRow; userId: string | null; changes: AppChanges; may: boolean; mayPush: boolean }

type StagingFrameProps = Pick<StagingProps, 'userId' | 'changes'> & { actions: ReactNode; children: ReactNode }

/** What both kinds of services have: the newest pull and push, and what can be done next. */
const StagingFrame = ({ userId, changes: { pull, push }, actions, children }: StagingFrameProps) => (
  <Section title="Staging">
    {pull.job ? <NewestChange job={pull.job} /> : null}
    {pull.job ? <OnceCredentials key={pull.job.id} job={pull.job} userId={userId} what="the staging copy" /> : null}
    {push.job ? <NewestChange job={push.job} /> : null}
    {children}
    {actions}
  </Section>
)

type CopyActionsProps = Omit<CopyDialogProps, 'siteId' | 'domain' | 'live' | 'change' | 'onClose'> & {
  site: SiteRow
  exists: boolean
  changes: AppChanges
  may: boolean
  mayPush: boolean
}

/** The buttons, and the dialog that each opens. */
function CopyActions({ site, exists, changes: { pull, push, busy }, may, mayPush, ...known }: CopyActionsProps) {
  const [asking, setAsking] = useState<'pull' | 'push' | null>(null)
  const dialog = {
    siteId: site.id,
    domain: site.domain,
    live: toReadableDomain(site.domain),
    ...known,
    onClose: () => {
      setAsking(null)
      if (asking) focusIfLost(() => document.getElementById(controlIds[asking]))
    },
  }
  return (
    <div className="flex flex-wrap gap-2">
      {may ? (
        <EarlyButton id={controlIds.pull} disabled={busy} onClick={() => setAsking('pull')}>
          Pull to staging
        </EarlyButton>
      ) : (
        <AskInstead what="apps change" name="Pull to staging" />
      )}
      {mayPush ? (
        <EarlyButton id={controlIds.push} variant="danger" disabled={busy} onClick={() => setAsking('push')}>
          Push to live
        </EarlyButton>
      ) : (
        <AskInstead what="apps destroy" name="Push to live" />
      )}
      {asking === 'pull' ? <PullDialog {...dialog} exists={exists} change={pull} /> : null}
      {asking === 'push' ? <PushDialog {...dialog} change={push} /> : null}
    </div>
  )
}

/** Replaces parts of the live site, confirmed by its domain. */
function PushDialog(props: CopyDialogProps) {
  const { siteId, domain, live, copy, tables, mixed, liveChanges, reported, change, onClose } = props
  const parts = useCopiedParts(tables, 'push')
  const lost = parts.database ? parts.chosen.filter(({ changed }) => changed).length : 0
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Push to live"
      description={
        reported
          ? 'Replaces the chosen parts of the live site. A backup of it is made first; if that fails, nothing is pushed.'
          : 'Replaces the chosen parts of the live site. The service decides whether a backup is made first.'
      }
      name={domain}
      action={pushSite}
      target={{ siteId }}
      refetch={change.starting}
      pendingLabel="Starting…"
      onDone={(started) => {
        onClose()
        followChange(change, started, `${live} was replaced.`)
      }}
    >
      <FromTo from={copy} to={live} />
      <ChooseParts parts={parts} direction="push" {...props} />
      {reported && parts.files ? <LiveChanges changes={liveChanges} /> : null}
      {lost > 0 ? (
        <p className="text-small text-warn">
          {countOf(lost, 'chosen table')} changed on live since the pull. The push replaces what visitors wrote there.
        </p>
      ) : null}
      {mixed && parts.database ? <NotOneMoment /> : null}
    </ConfirmDestroy>
  )
}

type Changes = NonNullable<StagingCopy['live_changes']>

const choices = [
  { value: '0', title: 'Keep what changed on live', description: 'Recommended. All other files become as on staging.' },
  { value: '1', title: 'Replace all files', description: 'Uploads and edits on live since the pull are deleted.' },
] as const

/** What visitors and editors changed on live since the pull, and whether the push keeps it. changes: null if unknown. */
function LiveChanges({ changes }: { changes: Changes | null }) {
  const [choice, setChoice] = useState<'0' | '1'>('0')
  if (changes?.count === 0) return <p className="text-small text-muted">No file changed on live since the pull.</p>
  return (
    <div className="flex flex-col gap-3">
      {changes ? (
        <Named changes={changes} />
      ) : (
        <p className="text-small text-muted">Which files changed on live since the pull is not known yet. The push finds them.</p>
      )}
      <ChoiceCards legend="Files that changed on live" name="replace_live_changes" choices={choices} value={choice} onChange={setChoice} />
    </div>
  )
}

function Named({ changes: { count, names, conflicts, noted } }: { changes: Changes }) {
  const listed = conflicts.length + names.length
  return (
    <div className="flex flex-col gap-1.5 text-small">
      <p className="text-warn">{countOf(count, 'file')} changed on live since the pull.</p>
      {noted ? null : (
        <p className="text-muted">
          The pull was made by an earlier version, which noted no files: files that only live has and files written there since count as
          changed.
        </p>
      )}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label="Files that changed on live since the pull"
        className="max-h-32 overflow-y-auto rounded-control border border-line p-2.5"
      >
        <ul className="flex flex-col gap-1">
          {conflicts.map((name) => (
            <li key={`both ${name}`} className="min-w-0">
              <span className="font-mono text-code wrap-anywhere">{name}</span>
              <span className="text-warn"> Changed on staging, too</span>
            </li>
          ))}
          {names.map((name) => (
            <li key={name} className="min-w-0 font-mono text-code wrap-anywhere">
              {name}
            </li>
          ))}
          {count > listed ? <li className="text-muted">and {countOf(count - listed, 'more file')}</li> : null}
        </ul>
      </section>
    </div>
  )
}
