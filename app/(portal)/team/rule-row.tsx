'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { SignInRule } from '@/lib/portal/subjects/team/sign-in-rules'
import type { AnyActionResult, FormAction } from '../../_shared/forms/call-action'
import { StartButton } from '../../_shared/forms/start-button'
import { StateChip } from '../../_ui/state-chip'

type RuleRowProps<Result extends AnyActionResult> = {
  title: string
  description: ReactNode
  rule: SignInRule
  /** Null for readers who may not change it. Its field `required` is `yes` or `no`. */
  action: FormAction<Result> | null
}

/** One rule: what it demands, whether it is on, and for owners the switch. */
export function RuleRow<Result extends AnyActionResult>({ title, description, rule: { on, refusal }, action }: RuleRowProps<Result>) {
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
