'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { StartButton } from '../../_shared/forms/start-button'
import { formatIdle } from '../../_shared/session/format-idle'
import { Select } from '../../_ui/input'
import { setIdleSignOut } from './actions'

type IdleRuleProps = { minutes: number; choices: readonly number[]; mayChange: boolean }

/** After how long without activity members are signed out. */
export function IdleRule({ minutes, choices, mayChange }: IdleRuleProps) {
  const router = useRouter()
  const [chosen, setChosen] = useState(minutes)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
        <p className="font-semibold">Sign out after {formatIdle(minutes)} without activity</p>
        <p className="text-small text-muted">An open page that only updates itself is no activity. Changes count at once.</p>
      </div>
      {mayChange ? (
        <span className="flex items-center gap-2">
          <Select
            aria-label="Time without activity"
            value={chosen}
            onChange={(event) => setChosen(Number(event.target.value))}
            className="w-auto"
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {formatIdle(choice)}
              </option>
            ))}
          </Select>
          <StartButton
            key={minutes}
            action={setIdleSignOut}
            target={{ minutes: String(chosen) }}
            label="Save"
            variant="outline"
            {...(chosen === minutes && { refusal: 'This time is set already.' })}
            message={() => `Members are signed out after ${formatIdle(chosen)} without activity.`}
            onDone={() => router.refresh()}
          />
        </span>
      ) : null}
    </li>
  )
}
