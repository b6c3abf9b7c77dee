'use client'

import { clsx } from 'clsx'
import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmSwitchOff } from '@/app/_shared/dialogs/confirm-switch-off'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { StateChip } from '@/app/_ui/state-chip'
import { toReadableDomain } from '@/lib/text/idn'
import { TurnOnAnyway } from './turn-on-anyway'
import { switchId, type Wanted } from './use-email-switch'

type EmailSwitchProps = {
  domain: string
  on: boolean
  /** The mail server that DNS names for the domain, if it is another one; empty otherwise. */
  elsewhere: string
  may: boolean
  busy: boolean
  onToggle: (wanted: Wanted) => void
}

/** Whether email is on, and what switching it does. */
export function EmailSwitch({ domain, on, elsewhere, may, busy, onToggle }: EmailSwitchProps) {
  const foreign = useForeign()
  const [asking, setAsking] = useState<'on' | 'off' | null>(null)
  const readable = toReadableDomain(domain)
  const close = () => setAsking(null)
  const answer = (wanted: Wanted) => {
    close()
    onToggle(wanted)
  }
  return (
    <Card className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-3.5">
      <div className="flex min-w-0 flex-1 basis-80 flex-col items-start gap-1.5">
        <p className="flex items-center gap-2 font-semibold">
          Email <StateChip {...(on ? chips.on : chips.off)} />
        </p>
        <p className="max-w-[76ch] text-muted wrap-anywhere">{effects[foreign ? 'foreign' : 'bundled'][on ? 'on' : 'off'](readable)}</p>
        {elsewhere === '' ? null : (
          <p className={clsx('max-w-[76ch] wrap-anywhere', on ? 'text-danger' : 'text-muted')}>
            DNS sends mail for {readable} to {elsewhere}, not to this server.
          </p>
        )}
      </div>
      {may ? (
        <Button
          id={switchId}
          {...(!on && { variant: 'primary' })}
          disabled={busy}
          onClick={() => {
            if (on) setAsking('off')
            else if (elsewhere !== '') setAsking('on')
            else onToggle({ on: true, anyway: false })
          }}
        >
          {on ? 'Turn off email' : 'Turn on email'}
        </Button>
      ) : null}
      {asking === 'on' ? (
        <TurnOnAnyway domain={domain} elsewhere={elsewhere} onClose={close} onTurnOn={() => answer({ on: true, anyway: true })} />
      ) : null}
      {asking === 'off' ? (
        <ConfirmSwitchOff
          title="Turn off email?"
          description={
            <p className="wrap-anywhere">
              {foreign
                ? `The service no longer takes mail for ${readable}. It decides whether the addresses are kept.`
                : `Mail to ${readable} is no longer accepted here, and none of its addresses can send. The addresses are kept for when you turn email on again.`}
            </p>
          }
          onClose={close}
          onSwitchOff={() => answer({ on: false, anyway: false })}
        />
      ) : null}
    </Card>
  )
}

const chips = { on: { tone: 'ok', label: 'On' }, off: { tone: 'neutral', label: 'Off' } } as const

const effects = {
  bundled: {
    on: (domain: string) =>
      `Mail to the addresses below is forwarded; mail to any other name at ${domain} is refused, except to postmaster. The server keeps no mailboxes.`,
    off: (domain: string) =>
      `Turning email on forwards mail to the addresses of ${domain}. The first site with email also opens the server’s firewall for mail.`,
  },
  foreign: {
    on: (domain: string) => `The service takes mail for ${domain}.`,
    off: (domain: string) => `Turning email on asks the service to take mail for ${domain}.`,
  },
}
