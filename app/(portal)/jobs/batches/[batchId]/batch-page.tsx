'use client'

import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import { repeatBatch, stopBatch } from '@/app/_shared/batches/actions'
import {
  describeCounts,
  describeMode,
  endedOf,
  formatTargetName,
  stateOfBatch,
  targetStates,
  targetsOf,
} from '@/app/_shared/batches/batch-summary'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { StartButton } from '@/app/_shared/forms/start-button'
import { titleOfStep } from '@/app/_shared/jobs/job-state'
import { portalRead } from '@/app/_shared/reads/read-address'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useRead } from '@/app/_shared/reads/use-read'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { ButtonLink } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { countOf } from '@/app/_ui/count'
import { formatDuration } from '@/app/_ui/dates'
import { EarlyButton } from '@/app/_ui/early-button'
import { ProgressBar } from '@/app/_ui/meter'
import { Notice } from '@/app/_ui/notice'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import type { BatchTargetView, BatchView } from '@/lib/portal/batches/view'

/** mayStop: on all of its targets. */
type BatchPageProps = { first: BatchView; mayStop: boolean }

const runningMs = 1_500
const endedMs = 30_000

/** A batch with a line for each target, live while it runs. */
export function BatchPage({ first, mayStop }: BatchPageProps) {
  const address = portalRead('/api/batches/[batchId]', { batchId: first.id })
  const everyMs = (known: BatchView | null) => (known?.endedAt ? endedMs : runningMs)
  const read = useRead(address, { first: { ok: true, data: first }, everyMs })
  const batch = read.data ?? first
  const { tone, label, live } = stateOfBatch(batch)
  return (
    <>
      <ReadError read={read} />
      <Card className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <StateChip tone={tone} label={label} live={live} />
          <span role="status">{describeCounts(batch)}</span>
          <span className="ml-auto">
            <Onward batch={batch} mayStop={mayStop} />
          </span>
        </div>
        <ProgressBar percent={(100 * endedOf(batch)) / targetsOf(batch)} label={`Progress of ${batch.title}`} tone={bars[tone]} />
        <p className="text-small text-muted">
          {describeMode(batch)} {batch.endedAt === null ? 'You can leave this page.' : null}
        </p>
      </Card>
      <Why batch={batch} />
      {batch.newer.map(({ id, title }) => (
        <Notice key={id} tone="info" title="This was repeated." action={<ButtonLink href={`/jobs/batches/${id}`}>{title}</ButtonLink>} />
      ))}
      <TargetTable batch={batch} />
      {batch.hidden > 0 ? (
        <p className="text-small text-muted">
          Not listed: {countOf(batch.hidden, batch.noun)} that were deleted, or are of another member’s own connection.
        </p>
      ) : null}
      {batch.gone > 0 ? (
        <p className="text-small text-muted">Cannot be repeated: {countOf(batch.gone, batch.noun)} that are no longer listed.</p>
      ) : null}
      {batch.denied > 0 ? (
        <p className="text-small text-muted">
          You cannot repeat this for {countOf(batch.denied, batch.noun)}, because your role or access does not include it there.
        </p>
      ) : null}
    </>
  )
}

const bars = { done: 'done', ok: 'done', warn: 'warn', danger: 'danger', accent: 'accent', neutral: 'accent' } as const

/** Stop while it runs, and repeat what is not done after that. */
function Onward({ batch, mayStop }: { batch: BatchView; mayStop: boolean }) {
  const router = useRouter()
  const { id: batchId, endedAt, stoppedAt, repeatable } = batch
  const refetch = [portalRead('/api/batches/[batchId]', { batchId })]
  if (endedAt === null) {
    if (stoppedAt !== null) return null
    return (
      <StartButton
        action={stopBatch}
        target={{ batchId }}
        refusal={mayStop ? undefined : 'Your role or access does not include this for all of them.'}
        refetch={refetch}
        variant="outline"
        label="Stop"
        message={() => 'No more will be started. What runs is finished.'}
        onDone={() => undefined}
      />
    )
  }
  return repeatable === 0 ? null : <Repeat batch={batch} onDone={(id) => router.push(`/jobs/batches/${id}`)} />
}

type RepeatProps = { batch: BatchView; onDone: (batchId: string) => void }

function Repeat({ batch, onDone }: RepeatProps) {
  const [confirming, setConfirming] = useState(false)
  const { id: batchId, repeatable, confirms, noun } = batch
  const label = `Repeat for ${countOf(repeatable, noun)}`
  if (!confirms) {
    return <StartButton action={repeatBatch} target={{ batchId }} label={label} onDone={(data) => onDone(data.batchId)} />
  }
  return (
    <>
      <EarlyButton variant="primary" onClick={() => setConfirming(true)}>
        {label}
      </EarlyButton>
      <ConfirmDestroy
        open={confirming}
        onOpenChange={setConfirming}
        title={label}
        description={`${batch.title}: those that failed or were not started.`}
        name={String(repeatable)}
        action={repeatBatch}
        target={{ batchId }}
        onDone={(data) => onDone(data.batchId)}
      >
        <StepUpField />
      </ConfirmDestroy>
    </>
  )
}

/** Why targets were not started, or what is left to do. */
function Why({ batch: { problem, stoppedAt, stoppedBy } }: { batch: BatchView }) {
  if (problem) return <Notice tone="warn" title={problem.sentence} />
  return stoppedAt === null ? null : <Notice tone="info" title={`Stopped by ${stoppedBy || 'a former member'}.`} />
}

type Row = BatchTargetView & { id: string }

const columnsOf = (noun: string): readonly Column<Row>[] => [
  {
    id: 'state',
    label: 'State',
    minWidth: 160,
    leaves: 3,
    cell: (row) => <State row={row} />,
    folded: (row) => <State row={row} />,
  },
  { id: 'name', label: 'Name', minWidth: 200, grows: true, main: true, cell: ({ name }) => formatTargetName(noun, name) },
  {
    id: 'detail',
    label: 'Detail',
    minWidth: 240,
    grows: true,
    leaves: 2,
    cell: (row) => <Detail row={row} />,
    folded: (row) => <Detail row={row} />,
    title: ({ problem, note }) => problem?.sentence ?? note,
  },
  { id: 'took', label: 'Took', minWidth: 104, leaves: 1, className: 'text-small text-muted', cell: (row) => <Took row={row} /> },
]

/** The job that did it, or else the page of the target. */
const hrefOf = ({ job, siteId, serverId }: Row): string => (job ? `/jobs/${job.id}` : siteId ? `/sites/${siteId}` : `/servers/${serverId}`)

/** The targets of a batch, in the order in which they begin. */
function TargetTable({ batch }: { batch: BatchView }) {
  const rows = useMemo(() => batch.targets.map((target) => ({ ...target, id: String(target.seq) })), [batch.targets])
  const columns = useMemo(() => columnsOf(batch.noun), [batch.noun])
  return <Table label={batch.title} columns={columns} rows={rows} href={hrefOf} />
}

function State({ row: { state } }: { row: Row }) {
  return <StateChip {...targetStates[state]} live={state === 'running'} />
}

/** The reason, or the step while it runs. */
function Detail({ row: { problem, note, job, state } }: { row: Row }) {
  if (note !== '') return <span className="text-warn">{note}</span>
  if (problem && state !== 'done') return <span className={state === 'failed' ? 'text-danger' : 'text-muted'}>{problem.sentence}</span>
  if (state !== 'running' || !job) return null
  return (
    <span className="text-muted">
      {titleOfStep(job.step)} ({job.progress} %)
    </span>
  )
}

function Took({ row: { startedAt, endedAt } }: { row: Row }) {
  const now = useNow(1000)
  const end = endedAt === null ? now : Date.parse(endedAt)
  return startedAt === null || end === null ? null : formatDuration(Math.max(0, end - Date.parse(startedAt)))
}
