'use client'

import { type ReactNode, useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmSwitchOff } from '@/app/_shared/dialogs/confirm-destroy'
import { type Action, type AnyActionResult, callAction } from '@/app/_shared/forms/call-action'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import { Button } from '@/app/_ui/button'
import { EarlyButton } from '@/app/_ui/early-button'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { renewCertificate, switchSsl } from '../actions'

type SslSwitchProps = {
  /** Null while it is unknown. */
  on: boolean | null
  may: boolean
  busy: boolean
  /** Why it cannot be switched on. */
  obstacle: string | null
  onToggle: (on: boolean) => void
  /** Shown next to the button while SSL is off. */
  checkAgain: ReactNode
}

const chips = {
  on: { tone: 'ok', label: 'On' },
  off: { tone: 'neutral', label: 'Off' },
  unknown: { tone: 'neutral', label: 'Unknown' },
} as const

/** Whether SSL is on, what switching it does, and what is missing. */
export function SslSwitch({ on, may, busy, obstacle, onToggle, checkAgain }: SslSwitchProps) {
  const foreign = useForeign()
  const [asking, setAsking] = useState(false)
  const state = on === null ? 'unknown' : on ? 'on' : 'off'
  return (
    <Card className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-4 py-3.5">
      <div className="flex min-w-0 flex-1 basis-80 flex-col items-start gap-1.5">
        <p className="flex items-center gap-2 font-semibold">
          SSL <StateChip {...chips[state]} />
        </p>
        <p className="max-w-[76ch] text-muted">{effects[foreign ? 'foreign' : 'bundled'][state]}</p>
        {on === false && obstacle !== null ? <p className="max-w-[76ch] text-danger wrap-anywhere">{obstacle}</p> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        {on === false ? checkAgain : null}
        {may && on === false ? (
          <Button id={switchId} variant="primary" disabled={busy || obstacle !== null} onClick={() => onToggle(true)}>
            Turn on SSL
          </Button>
        ) : null}
        {may && on === true ? (
          <EarlyButton id={switchId} disabled={busy} onClick={() => setAsking(true)}>
            Turn off SSL
          </EarlyButton>
        ) : null}
      </div>
      {asking ? (
        <SwitchOff
          onClose={() => setAsking(false)}
          onSwitchOff={() => {
            setAsking(false)
            onToggle(false)
          }}
        />
      ) : null}
    </Card>
  )
}

const unknown = 'Gatehouse doesn’t know whether SSL is on.'

const effects = {
  bundled: {
    on: 'Addresses that begin with http:// redirect to https://. The certificate is renewed automatically.',
    off: 'Turning SSL on gets a certificate, renews it automatically, and redirects http:// to https://. Names that cannot be reached are left out.',
    unknown,
  },
  foreign: {
    on: 'The service answers for this site with a certificate.',
    off: 'Turning SSL on asks the service for a certificate. Point the domain to the server first.',
    unknown,
  },
}

type SwitchOffProps = { onClose: () => void; onSwitchOff: () => void }

function SwitchOff(handlers: SwitchOffProps) {
  const foreign = useForeign()
  return (
    <ConfirmSwitchOff
      title="Turn off SSL?"
      description={
        <>
          <p>
            Addresses that begin with https:// no longer answer. Visitors who follow such a link, or whose browser remembers https, get an
            error.
          </p>
          <p className="mt-1.5">
            {foreign ? 'The service decides whether the certificate is kept.' : 'The certificate is kept for when you turn SSL on again.'}
          </p>
        </>
      }
      {...handlers}
    />
  )
}

/** Of the button that switches SSL, whichever is shown. */
const switchId = 'ssl-switch'

type Started = AnyActionResult & ({ ok: true; data: StartedChange } | { ok: false })

/** The changes to a site's SSL. rendered: the job that the server found. */
export function useSsl(siteId: string, rendered: JobView | null) {
  const { job, busy, starting, during, follow } = useSiteChange('ssl.set', siteId, rendered, switchId)
  const [refusal, setRefusal] = useState<Problem | null>(null)

  const start = (action: Action<Started>, on: boolean, message: string) =>
    during(async () => {
      setRefusal(null)
      const started = await callAction(action, { siteId, status: on ? '1' : '0' }, { refetch: starting })
      if (!started.ok) return setRefusal(started.problem)
      await follow(started.data, message)
    })

  return {
    job,
    refusal,
    busy,
    toggle: (on: boolean) => start(switchSsl, on, on ? 'SSL is on.' : 'SSL is off.'),
    renew: () => start(renewCertificate, true, 'The certificate was renewed.'),
  }
}
