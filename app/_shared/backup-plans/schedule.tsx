'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { PlaceSchedule, PlanView } from '@/lib/portal/subjects/backup-plans/view'
import { formatHour } from '@/lib/text/minute'
import { Button, ButtonLink } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import { toast } from '../../_ui/toast'
import { StartButton } from '../forms/start-button'
import { excludeFromPlans, removeBackupPlan } from './actions'
import { describeCopied, ScheduleDialog } from './schedule-dialog'

type PlaceKind = PlaceSchedule['place']['kind']

/** The schedule of copies that applies here, and its buttons. Inside a card. */
export function Schedule({ schedule }: { schedule: PlaceSchedule }) {
  const router = useRouter()
  const [open, setOpen] = useState<'set' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const { place, plan, targets, refusal } = schedule
  const target = { place: place.kind, placeId: place.id }
  const isOwn = plan?.from === place.kind
  const changed = (message: string) => () => {
    close()
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
        {place.kind === 'team' && refusal === null && targets.length === 0 ? (
          <p className="text-small text-muted">A schedule of the team needs a backup target of the team.</p>
        ) : null}
        {plan && plan.pausedBecause !== '' && !plan.excluded ? <p className="text-small text-danger">{plan.pausedBecause}</p> : null}
      </div>
      {refusal !== null ? null : (
        <div className="flex flex-wrap gap-2">
          {isOwn && plan.excluded ? (
            <StartButton
              action={removeBackupPlan}
              target={target}
              label="Include again"
              variant="outline"
              onDone={changed('No longer excluded.')}
            />
          ) : null}
          {isOwn && !plan.excluded ? (
            <EarlyButton variant="outline" onClick={() => setOpen('remove')}>
              Remove schedule
            </EarlyButton>
          ) : null}
          {plan === null || plan.excluded || isOwn ? null : (
            <StartButton
              action={excludeFromPlans}
              target={target}
              label="Exclude"
              variant="outline"
              onDone={changed('Excluded from scheduled copies.')}
            />
          )}
          {targets.length === 0 && place.kind !== 'team' ? <ButtonLink href="/team/backup-targets">Backup targets</ButtonLink> : null}
          {targets.length === 0 ? null : (
            <EarlyButton variant="outline" onClick={() => setOpen('set')}>
              {isOwn && !plan.excluded ? 'Change schedule' : 'Set schedule'}
            </EarlyButton>
          )}
        </div>
      )}
      {open === 'set' ? <ScheduleDialog schedule={schedule} onClose={close} onDone={changed('The schedule was saved.')} /> : null}
      {open === 'remove' ? (
        <Dialog
          open
          onOpenChange={close}
          title="Remove schedule"
          description="Its hour, target, limit and numbers of copies to keep are lost. Copies that were made are kept."
        >
          <div className="mt-6">
            <DialogActions>
              <Button onClick={close}>Cancel</Button>
              <StartButton
                action={removeBackupPlan}
                target={target}
                label="Remove schedule"
                variant="warn-solid"
                onDone={changed('The schedule was removed.')}
              />
            </DialogActions>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

function formatKept({ retention }: PlanView, kind: PlaceKind): string {
  if (retention === null) return 'All copies are kept.'
  const { keepDaily, keepWeekly, keepMonthly } = retention
  return `${keepDaily} daily, ${keepWeekly} weekly and ${keepMonthly} monthly copies${kind === 'site' ? '' : ' of each'} are kept.`
}

function Sentence({ plan, kind }: { plan: PlanView | null; kind: PlaceKind }) {
  if (plan === null) return <p className="text-small text-muted">No copies are scheduled.</p>
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
      The newest backup of {describeCopied(kind, plan.takesServers)} is copied to {plan.target ?? 'a target of another member'} every night
      at {formatHour(plan.hour)} ({plan.timeZone.replaceAll('_', ' ')}){limit}
      {from}. {formatKept(plan, kind)}{' '}
      {plan.nextAt === null ? null : (
        <>
          Next <RelativeTime at={plan.nextAt} />.{' '}
        </>
      )}
      {by}.
    </p>
  )
}
