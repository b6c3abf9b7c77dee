'use client'

import { useRouter } from 'next/navigation'
import type { HeldView } from '@/lib/portal/approvals/view'
import { ActionForm } from '../../../_shared/action-form'
import { StartButton } from '../../../_shared/start-button'
import { Button } from '../../../_ui/button'
import { Field } from '../../../_ui/field'
import { Input } from '../../../_ui/input'
import { Section } from '../../../_ui/section'
import { approveHeldRequest, refuseHeldRequest, withdrawHeldRequest } from '../actions'

/** The approval, or the refusal with a reason; for whoever asked, taking it back. */
export function Decide({ request: { id, digest, state, own, mayDecide, sends } }: { request: HeldView }) {
  const router = useRouter()
  const refresh = () => router.refresh()
  if (state !== 'waiting') return null
  if (own) {
    return (
      <div>
        <StartButton
          action={withdrawHeldRequest}
          target={{ heldId: id }}
          label="Withdraw request"
          variant="outline"
          message={() => 'The request was withdrawn.'}
          onDone={refresh}
        />
      </div>
    )
  }
  if (!mayDecide) return null
  return (
    <Section title="Your decision">
      {sends === null ? null : (
        <div>
          <StartButton
            action={approveHeldRequest}
            target={{ heldId: id, digest }}
            label="Approve and send"
            message={({ jobId }) => (jobId === null ? 'Approved and sent.' : 'Approved: the job has started.')}
            onDone={refresh}
          />
        </div>
      )}
      <ActionForm action={refuseHeldRequest} onDone={refresh} className="flex max-w-[560px] flex-col items-start gap-3">
        {(pending) => (
          <>
            <input type="hidden" name="heldId" value={id} />
            <Field name="reason" label="Reason" hint="Whoever asked reads it." optional className="w-full">
              {(control) => <Input {...control} maxLength={200} />}
            </Field>
            <Button type="submit" variant="outline" disabled={pending}>
              {pending ? 'Refusing…' : 'Refuse request'}
            </Button>
          </>
        )}
      </ActionForm>
    </Section>
  )
}
