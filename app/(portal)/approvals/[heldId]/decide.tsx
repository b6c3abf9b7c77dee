'use client'

import { useRouter } from 'next/navigation'
import type { HeldView } from '@/lib/portal/approvals/view'
import { ActionForm } from '../../../_shared/action-form'
import { StartButton } from '../../../_shared/start-button'
import { StepUpField } from '../../../_shared/step-up-field'
import { Button } from '../../../_ui/button'
import { Field } from '../../../_ui/field'
import { Input } from '../../../_ui/input'
import { Section } from '../../../_ui/section'
import { approveHeldRequest, passHeldRequest, refuseHeldRequest, withdrawHeldRequest } from '../actions'

/** The approval, or the refusal with a reason; for whoever asked, taking it back. */
export function Decide({ request: { id, digest, state, own, mayDecide, mayPass, sends } }: { request: HeldView }) {
  const router = useRouter()
  const refresh = () => router.refresh()
  if (state !== 'waiting') return null
  if (own) {
    return (
      <>
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
        {mayPass ? <GoWithout id={id} digest={digest} onDone={refresh} /> : null}
      </>
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
            message={({ page }) => (page === null ? 'Approved and sent.' : 'Approved: the work has started.')}
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

type GoWithoutProps = { id: string; digest: string; onDone: () => void }

/** For an owner who cannot wait for a second person. */
const GoWithout = ({ id, digest, onDone }: GoWithoutProps) => (
  <Section title="If nobody can approve it in time">
    <p className="max-w-[72ch] text-muted">
      As an owner you can send it without a second person. Every owner is notified at once, with your reason, and Activity says so.
    </p>
    <ActionForm action={passHeldRequest} onDone={onDone} className="flex max-w-[560px] flex-col items-start gap-3">
      {(pending) => (
        <>
          <input type="hidden" name="heldId" value={id} />
          <input type="hidden" name="digest" value={digest} />
          <Field name="reason" label="Reason" className="w-full">
            {(control) => <Input {...control} required minLength={10} maxLength={200} />}
          </Field>
          <StepUpField />
          <Button type="submit" variant="danger-solid" disabled={pending}>
            {pending ? 'Sending…' : 'Send without a second person'}
          </Button>
        </>
      )}
    </ActionForm>
  </Section>
)
