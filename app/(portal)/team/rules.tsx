'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Card } from '@/app/_ui/section'
import type { RuleLine } from '@/lib/portal/approvals/change-rule'
import type { SingleSignOnRule as Rule } from '@/lib/portal/subjects/team/require-single-sign-on'
import type { SignInRule } from '@/lib/portal/subjects/team/sign-in-rules'
import type { AnyActionResult, FormAction } from '../../_shared/forms/call-action'
import { StartButton } from '../../_shared/forms/start-button'
import { formatIdle } from '../../_ui/dates'
import { Select } from '../../_ui/input'
import { StateChip } from '../../_ui/state-chip'
import { requireSecondFactor, requireSingleSignOn, setIdleSignOut, setSecondPerson } from './actions'

type RuleRowProps<Result extends AnyActionResult> = {
  title: string
  description: ReactNode
  rule: SignInRule
  /** Null for readers who may not change it. Its field `required` is `yes` or `no`. */
  action: FormAction<Result> | null
}

/** One rule: what it demands, whether it is on, and for owners the switch. */
function RuleRow<Result extends AnyActionResult>({ title, description, rule: { on, refusal }, action }: RuleRowProps<Result>) {
  const router = useRouter()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {title}
          <StateChip tone={on ? 'ok' : 'neutral'} label={on ? 'On' : 'Off'} />
        </p>
        <p className="text-small wrap-anywhere text-muted">{description}</p>
        {action && !on && refusal ? <p className="text-small text-muted">{refusal}</p> : null}
      </div>
      {action ? (
        <StartButton
          key={String(on)}
          action={action}
          target={{ required: on ? 'no' : 'yes' }}
          label={on ? 'Turn off' : 'Turn on'}
          variant="outline"
          {...(!on && refusal && { refusal })}
          message={() => `${title}: turned ${on ? 'off' : 'on'}.`}
          onDone={() => router.refresh()}
        />
      ) : null}
    </li>
  )
}

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

export const SecondFactorRule = ({ rule, mayChange }: { rule: SignInRule; mayChange: boolean }) => (
  <RuleRow
    title="Require a second factor"
    description="Members without one set it up at their next sign-in. Open sessions stay signed in."
    rule={rule}
    action={mayChange ? requireSecondFactor : null}
  />
)

/** Whether members have to use single sign-on. */
export function SingleSignOnRule({ rule, mayChange }: { rule: Rule; mayChange: boolean }) {
  const { provider, unprotected } = rule
  return (
    <RuleRow
      title="Require single sign-on"
      description={
        <>
          Members sign in with {provider} only; their other sessions end. Owners can still use their password and second factor.
          {unprotected.length > 0
            ? ` Owners without a second factor: ${unprotected.join(', ')}. They set one up at their next sign-in.`
            : ''}
        </>
      }
      rule={rule}
      action={mayChange ? requireSingleSignOn : null}
    />
  )
}
