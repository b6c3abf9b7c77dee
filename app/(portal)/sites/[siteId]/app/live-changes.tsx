'use client'

import { useState } from 'react'
import { ChoiceCards } from '@/app/_ui/choice-cards'
import { countOf } from '@/app/_ui/count'
import type { StagingCopy } from './copied-tables'

type Changes = NonNullable<StagingCopy['live_changes']>

const choices = [
  { value: '0', title: 'Keep what changed on live', description: 'Recommended. All other files become as on staging.' },
  { value: '1', title: 'Replace all files', description: 'Uploads and edits on live since the pull are deleted.' },
] as const

/** What visitors and editors changed on live since the pull, and whether the push keeps it. changes: null if unknown. */
export function LiveChanges({ changes }: { changes: Changes | null }) {
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
