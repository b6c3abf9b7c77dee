'use client'

import { CodeBlock } from '@/app/_ui/code-block'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import type { BackupsAnswer } from './backup'

/** A notice if the newest run did not go well, or no further run is scheduled. None for a service that reports neither. */
export function NightlyRun({ last, timer }: Pick<BackupsAnswer, 'last' | 'timer'>) {
  return (
    <>
      {last ? <LastRun last={last} /> : null}
      {timer && !timer.active ? (
        <Notice tone="warn" title="The nightly backup is off.">
          <p>No backups run until root turns it on again:</p>
          <CodeBlock text="systemctl enable --now gatehouse-backup.timer" what="the command" />
        </Notice>
      ) : null}
    </>
  )
}

const runs = {
  failed: { tone: 'danger', title: 'The last backup failed' },
  partial: { tone: 'warn', title: 'The last backup is partial. It was created' },
  running: { tone: 'info', title: 'A backup is running. It started' },
} as const

function LastRun({ last: { state, at, reason } }: { last: NonNullable<BackupsAnswer['last']> }) {
  if (state === 'done') return null
  const { tone, title } = runs[state]
  return (
    <Notice
      tone={tone}
      title={
        at ? (
          <>
            {title} <RelativeTime at={at} />.
          </>
        ) : (
          `${title}.`
        )
      }
    >
      {reason ? <p className="wrap-anywhere">{reason}</p> : null}
      {state === 'partial' ? <p>The list below shows why.</p> : null}
    </Notice>
  )
}

/** When the first backup is due. */
export function FirstDue({ timer }: Pick<BackupsAnswer, 'timer'>) {
  if (!timer?.active || !timer.next) return null
  return (
    <p>
      No backup has run yet. The next one is due <RelativeTime at={timer.next} />.
    </p>
  )
}
