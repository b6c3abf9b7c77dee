'use client'

import { clsx } from 'clsx'
import { useId } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { Card } from '@/app/_ui/section'

type FirewallSwitchProps = { name: string; active: boolean; busy: boolean; mayChange: boolean; onToggle: (on: boolean) => void }

/** Whether it is on, and what that means for incoming connections. */
export function FirewallSwitch({ name, active, busy, mayChange, onToggle }: FirewallSwitchProps) {
  const id = useId()
  const foreign = useForeign()
  return (
    <Card className="flex items-center gap-4 px-4 py-3.5">
      <button
        type="button"
        role="switch"
        aria-checked={active}
        aria-labelledby={`${id}-state`}
        aria-describedby={`${id}-effect`}
        disabled={busy || !mayChange}
        onClick={() => onToggle(!active)}
        className={clsx(
          'relative h-6 w-11 shrink-0 rounded-chip border transition-colors duration-120 disabled:cursor-not-allowed disabled:opacity-60',
          active ? 'border-accent bg-accent' : 'border-warn bg-warn-bg',
        )}
      >
        <span
          aria-hidden
          className={clsx(
            'absolute top-[3px] left-[3px] size-4 rounded-chip transition-transform duration-120',
            active ? 'translate-x-5 bg-on-accent' : 'bg-warn',
          )}
        />
      </button>
      <div className="min-w-0">
        <p className="font-semibold">
          <span id={`${id}-state`}>Firewall</span>{' '}
          <span aria-live="polite" className={active || busy ? undefined : 'text-warn'}>
            {busy ? 'is being changed…' : active ? 'is on' : 'is off'}
          </span>
        </p>
        <p id={`${id}-effect`} className="text-small text-muted">
          {foreign
            ? `The rules below ${active ? 'are active' : 'are inactive until it is on'}.`
            : active
              ? `Only traffic that the rules below allow reaches ${name}. All other incoming traffic is refused.`
              : `Every listening port of ${name} is reachable from anywhere. The rules below are inactive until it is on.`}
        </p>
      </div>
    </Card>
  )
}
