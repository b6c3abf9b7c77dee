'use client'

import { useRouter } from 'next/navigation'
import { Card } from '@/app/_ui/section'
import type { RuleLine } from '@/lib/portal/approvals/change-rule'
import { StartButton } from '../../_shared/forms/start-button'
import { StateChip } from '../../_ui/state-chip'
import { setSecondPerson } from './actions'

type SecondPersonRuleProps = { lines: readonly RuleLine[]; mayChange: boolean }

/** What another member has to approve. */
export function SecondPersonRule({ lines, mayChange }: SecondPersonRuleProps) {
  const router = useRouter()
  const on = lines.filter((line) => line.on).map(({ name }) => name)
  const proposed = lines.filter((line) => line.proposed)
  const refusal = proposed.find((line) => line.refusal)?.refusal ?? undefined
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="max-w-[72ch] flex-1 basis-72 text-muted">
          What is on waits, for up to 60 minutes, until another member with the right to do the same approves it.
        </p>
        {mayChange && on.length === 0 ? (
          <StartButton
            action={setSecondPerson}
            target={{ names: proposed.map(({ name }) => name).join(',') }}
            label="Turn on the proposed"
            variant="outline"
            refusal={refusal}
            message={() => `Turned on: ${proposed.map(({ label }) => label).join(', ')}.`}
            onDone={() => router.refresh()}
          />
        ) : null}
      </div>
      <Card>
        <ul className="divide-y divide-line">
          {lines.map((line) => (
            <li key={line.name} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
              <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {line.label}
                  <StateChip tone={line.on ? 'ok' : 'neutral'} label={line.on ? 'On' : 'Off'} />
                </p>
                {mayChange && line.endsLinks > 0 ? (
                  <p className="text-small text-muted">
                    Turning it on ends {line.endsLinks} open {line.endsLinks === 1 ? 'link' : 'links'} of invitations and password resets
                    that {line.endsLinks === 1 ? 'was' : 'were'} made without a second person. A new one then needs one.
                  </p>
                ) : null}
                {line.refusal && (mayChange || line.on) ? (
                  <p className={line.on ? 'text-small text-danger' : 'text-small text-muted'}>{line.refusal}</p>
                ) : null}
              </div>
              {mayChange ? <Switch line={line} on={on} onDone={() => router.refresh()} /> : null}
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

type SwitchProps = { line: RuleLine; on: readonly string[]; onDone: () => void }

const Switch = ({ line, on, onDone }: SwitchProps) => (
  <StartButton
    key={String(line.on)}
    action={setSecondPerson}
    target={{ names: (line.on ? on.filter((name) => name !== line.name) : [...on, line.name]).join(',') }}
    label={line.on ? 'Turn off' : 'Turn on'}
    variant="outline"
    {...(!line.on && line.refusal && { refusal: line.refusal })}
    message={() => `${line.label}: turned ${line.on ? 'off' : 'on'}.`}
    onDone={onDone}
  />
)
