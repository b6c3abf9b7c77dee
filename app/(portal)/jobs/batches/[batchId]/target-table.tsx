'use client'

import { useMemo } from 'react'
import { formatTargetName, targetStates } from '@/app/_shared/batches/batch-words'
import { titleOfStep } from '@/app/_shared/jobs/job-steps'
import { useNow } from '@/app/_ui/clock'
import { formatDuration } from '@/app/_ui/duration'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import type { BatchTargetView, BatchView } from '@/lib/portal/batches/view'

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
export function TargetTable({ batch }: { batch: BatchView }) {
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
