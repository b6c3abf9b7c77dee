'use client'

import { clsx } from 'clsx'
import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmSwitchOff } from '@/app/_shared/dialogs/confirm-destroy'
import { callAction } from '@/app/_shared/forms/call-action'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useSiteChange } from '@/app/_shared/sites/use-site-change'
import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { switchEmail } from '../actions'

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

/** Of the button that switches email, whichever is shown. */
const switchId = 'email-switch'

/** anyway: although DNS sends the mail elsewhere. */
type Wanted = { on: boolean; anyway: boolean }

/** Switching email of a site. rendered: the job that the server found. elsewhere: the mail server that DNS names, if it is another one. */
export function useEmailSwitch(siteId: string, rendered: JobView | null, elsewhere: string) {
  const shows = [operationRead('email.get', { siteId })]
  const { job, busy, starting, during, follow } = useSiteChange('email.set', siteId, rendered, switchId, shows)
  const [refusal, setRefusal] = useState<Problem | null>(null)

  const toggle = ({ on, anyway }: Wanted) =>
    during(async () => {
      setRefusal(null)
      const fields = { siteId, status: on ? '1' : '0', anyway: anyway ? '1' : '0', elsewhere }
      const started = await callAction(switchEmail, fields, { refetch: starting })
      if (!started.ok) return setRefusal(started.problem)
      await follow(started.data, on ? 'Email is on.' : 'Email is off.')
    })

  return { job, refusal, busy, toggle }
}

type TurnOnAnywayProps = { domain: string; elsewhere: string; onClose: () => void; onTurnOn: () => void }

/** Asked once where DNS sends the domain's mail to another mail server. */
function TurnOnAnyway({ domain, elsewhere, onClose, onTurnOn }: TurnOnAnywayProps) {
  const readable = toReadableDomain(domain)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Turn on email although DNS names another mail server?"
      description={
        <>
          <p className="wrap-anywhere">
            Mail for {readable} goes to <strong className="font-semibold text-ink">{elsewhere}</strong> now. With email on, mail that this
            server’s own sites and programs send to {readable} stays on this server and no longer reaches mailboxes there.
          </p>
          <p className="mt-1.5">Turn it on if you are about to change the MX record to this server.</p>
        </>
      }
    >
      <div className="mt-6">
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="warn-solid" onClick={onTurnOn}>
            Turn on anyway
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
