'use client'

import { useState } from 'react'
import type { PlaceSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { formatHour } from '@/lib/text/minute'
import { useTimeZone } from '../../_ui/clock'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import { ActionForm } from '../forms/action-form'
import { setBackupPlan } from './actions'
import { AllKept, RetentionFields } from './retention-fields'

/** Nightly backups begin between 02:30 and 03:00, in the time zone of their server. */
const usualHour = 6

const hours: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour)

/** Whose backups a schedule copies, after “of”. withServers: servers themselves are copied to its target too. */
export function describeCopied(place: PlaceSchedule['place']['kind'], withServers: boolean): string {
  if (place === 'site') return 'this site'
  if (place === 'server') return withServers ? 'this server and of each of its sites' : 'each site of this server'
  return withServers ? 'each site and server' : 'each site'
}

type ScheduleDialogProps = { schedule: PlaceSchedule; onClose: () => void; onDone: () => void }

/** Where copies go, when, how fast, and how long they are kept. */
export function ScheduleDialog({ schedule: { place, plan, targets, usualRetention }, onClose, onDone }: ScheduleDialogProps) {
  const browserZone = useTimeZone()
  const former = plan && !plan.excluded ? plan : null
  const timeZone = former?.timeZone ?? browserZone
  const [targetId, setTargetId] = useState(former?.targetId)
  // The select shows the first one for a target that is not offered.
  const { isPruned, isOfTeam } = targets.find(({ id }) => id === targetId) ?? targets[0] ?? { isPruned: true, isOfTeam: true }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Schedule copies"
      description={
        <p>
          The newest backup of {describeCopied(place.kind, isOfTeam)} is copied every night, with your rights. Gatehouse retries a failed
          copy three times in the same night.
        </p>
      }
    >
      <ActionForm action={setBackupPlan} onDone={onDone} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="place" value={place.kind} />
            <input type="hidden" name="placeId" value={place.id} />
            <input type="hidden" name="timeZone" value={timeZone} />
            <Field name="targetId" label="Backup target">
              {(control) => (
                <Select defaultValue={former?.targetId ?? undefined} {...control} onChange={({ target }) => setTargetId(target.value)}>
                  {targets.map(({ id, label }) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field
              name="hour"
              label="Starts at"
              hint={`In the time zone ${timeZone.replaceAll('_', ' ')}. Choose an hour after the nightly backups.`}
            >
              {(control) => (
                <Select defaultValue={String(former?.hour ?? usualHour)} {...control}>
                  {hours.map((hour) => (
                    <option key={hour} value={String(hour)}>
                      {formatHour(hour)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field name="limitKb" label="Bandwidth limit" optional hint="In KB per second, for each server. Empty: no limit.">
              {(control) => (
                <Input
                  defaultValue={former?.limitKb?.toString()}
                  {...control}
                  inputMode="numeric"
                  pattern="[1-9][0-9]{0,6}"
                  maxLength={7}
                  autoComplete="off"
                />
              )}
            </Field>
            {isPruned ? <RetentionFields retention={former?.retention ?? usualRetention} several={place.kind !== 'site'} /> : <AllKept />}
            <FormButtons label="Save" busy="Saving…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
