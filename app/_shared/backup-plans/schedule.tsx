'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { PlaceSchedule, PlanView } from '@/lib/portal/subjects/backup-plans/view'
import { ButtonLink } from '../../_ui/button'
import { EarlyButton } from '../../_ui/early-button'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import { toast } from '../../_ui/toast'
import { StartButton } from '../forms/start-button'
import { excludeFromPlans, removeBackupPlan } from './actions'
import { ScheduleDialog } from './schedule-dialog'
import { formatHour } from './schedule-words'

type PlaceKind = PlaceSchedule['place']['kind']

/** What is copied, by the place of the schedule. */
const whatOf: Readonly<Record<PlaceKind, string>> = {
  team: 'all sites',
  server: 'the sites of this server',
  site: 'this site',
}

/** The schedule of copies that counts here, and its buttons. Inside a card. */
export function Schedule({ schedule }: { schedule: PlaceSchedule }) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const { place, plan, targets, refusal } = schedule
  const target = { place: place.kind, placeId: place.id }
  const isOwn = plan?.from === place.kind
  const changed = (message: string) => () => {
    setOpen(false)
    toast(message)
    router.refresh()
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-semibold">Schedule</h3>
          {plan && plan.pausedBecause !== '' && !plan.excluded ? <StateChip tone="danger" label="Paused" /> : null}
        </div>
        <Sentence plan={plan} kind={place.kind} />
        {plan && plan.pausedBecause !== '' && !plan.excluded ? <p className="text-small text-danger">{plan.pausedBecause}</p> : null}
      </div>
      {refusal !== null ? null : (
        <div className="flex flex-wrap gap-2">
          {isOwn ? (
            <StartButton
              action={removeBackupPlan}
              target={target}
              label={plan.excluded ? 'Include again' : 'Remove schedule'}
              variant="outline"
              onDone={changed(plan.excluded ? 'No longer excluded.' : 'The schedule was removed.')}
            />
          ) : null}
          {place.kind === 'team' || plan === null || plan.excluded ? null : (
            <StartButton
              action={excludeFromPlans}
              target={target}
              label="Exclude"
              variant="outline"
              onDone={changed('No copies are scheduled here any more.')}
            />
          )}
          {targets.length === 0 ? (
            <ButtonLink href="/team/backup-targets">Backup targets</ButtonLink>
          ) : (
            <EarlyButton variant="outline" onClick={() => setOpen(true)}>
              {isOwn && !plan.excluded ? 'Change schedule' : 'Set schedule'}
            </EarlyButton>
          )}
        </div>
      )}
      {open ? (
        <ScheduleDialog
          schedule={schedule}
          what={whatOf[place.kind]}
          onClose={() => setOpen(false)}
          onDone={changed('The schedule was saved.')}
        />
      ) : null}
    </div>
  )
}

function Sentence({ plan, kind }: { plan: PlanView | null; kind: PlaceKind }) {
  if (plan === null) return <p className="text-small text-muted">No copies are scheduled for {whatOf[kind]}.</p>
  const from = plan.from === kind ? '' : `, as set for ${plan.from === 'team' ? 'the team' : 'the server'}`
  const by = (
    <>
      {plan.setBy === null ? 'Set' : `Set by ${plan.setBy}`} <RelativeTime at={plan.setAt} />
    </>
  )
  if (plan.excluded)
    return (
      <p className="text-small wrap-anywhere text-muted">
        Excluded from scheduled copies{from}. {by}.
      </p>
    )
  const limit = plan.limitKb === null ? '' : ` at up to ${plan.limitKb} KB/s`
  return (
    <p className="text-small wrap-anywhere text-muted">
      The newest backup of {whatOf[kind]} is copied to {plan.target ?? 'a target of another member'} every night at {formatHour(plan.hour)}{' '}
      ({plan.timeZone.replaceAll('_', ' ')}){limit}
      {from}.{' '}
      {plan.nextAt === null ? null : (
        <>
          Next <RelativeTime at={plan.nextAt} />.{' '}
        </>
      )}
      {by}.
    </p>
  )
}
