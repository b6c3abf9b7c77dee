'use client'

import { clsx } from 'clsx'
import { Check, CircleDashed, X } from 'lucide-react'
import { useNow } from '../../_ui/clock'
import { formatDuration } from '../../_ui/duration'
import type { JobStep } from './job-steps'

const words = { done: 'done', running: 'under way', failed: 'failed', stopped: 'stopped here' }

/** Named steps with their state and duration. */
export function StepList({ steps }: { steps: readonly JobStep[] }) {
  const now = useNow(1000)
  return (
    <ol className="flex flex-col">
      {steps.map((step) => {
        const end = step.endedAt ? Date.parse(step.endedAt) : now
        return (
          <li
            key={`${step.name} ${step.startedAt}`}
            className="flex min-h-8 items-center gap-2.5"
            aria-current={step.state === 'running' ? 'step' : undefined}
          >
            <StepMark state={step.state} />
            <span className={clsx('min-w-0 flex-1', step.state !== 'done' && 'font-semibold', step.state === 'failed' && 'text-danger')}>
              {step.title}
              <span className="sr-only">, {words[step.state]}</span>
            </span>
            <span className="text-small whitespace-nowrap text-muted">
              {end === null ? '' : formatDuration(end - Date.parse(step.startedAt))}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function StepMark({ state }: { state: JobStep['state'] }) {
  const mark = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, className: 'shrink-0' } as const
  if (state === 'done') return <Check {...mark} className="shrink-0 text-muted" />
  if (state === 'failed') return <X {...mark} className="shrink-0 text-danger" />
  if (state === 'stopped') return <CircleDashed {...mark} className="shrink-0 text-warn" />
  return (
    <span aria-hidden className="flex size-4 shrink-0 items-center justify-center">
      <span className="size-2 animate-pulse-dot rounded-chip bg-accent" />
    </span>
  )
}
