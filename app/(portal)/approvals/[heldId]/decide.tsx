'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { LinkDialog } from '@/app/_shared/dialogs/link-dialog'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StartButton } from '@/app/_shared/forms/start-button'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Button } from '@/app/_ui/button'
import { useTimeZone } from '@/app/_ui/clock'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Section } from '@/app/_ui/section'
import { TimeField } from '@/app/_ui/time-field'
import { isoOf } from '@/app/_ui/time-in-zone'
import { toast } from '@/app/_ui/toast'
import type { TakenLink } from '@/lib/portal/approvals/take'
import type { HeldView } from '@/lib/portal/approvals/view'
import { approveHeldRequest, passHeldRequest, refuseHeldRequest, takeHeldLink, withdrawHeldRequest } from '../actions'

/** For whoever asked: makes the link and shows it once, or downloads the file. What is shown stays, whatever the page reads meanwhile. */
export function Take({ request: { id, takenAs, takeUntil, what } }: { request: HeldView }) {
  const router = useRouter()
  const [taken, setTaken] = useState<TakenLink | null>(null)
  const close = () => {
    setTaken(null)
    router.refresh()
  }
  if (taken !== null) {
    const description = <p>Give it to {taken.email} only. It works once and is not shown again.</p>
    return <LinkDialog title={what} description={description} link={taken.link} onClose={close} />
  }
  if (takeUntil === null) return null
  if (takenAs === 'file') {
    return (
      <Section title="Your file">
        <p className="max-w-[72ch] text-muted">
          It has what the audit log had when you asked for it. You can download it again until the approval expires; Activity shows each
          time.
        </p>
        <div>
          <a
            href={`/api/approvals/${id}/csv`}
            download
            className="inline-flex h-8 items-center rounded-control border border-line bg-surface px-3 font-semibold hover:border-line-strong touch:h-10"
          >
            Download CSV
          </a>
        </div>
      </Section>
    )
  }
  return (
    <Section title="Your link">
      <p className="max-w-[72ch] text-muted">It is shown once, to you only. Give it to the person it is for.</p>
      <ActionForm action={takeHeldLink} onDone={setTaken} className="flex max-w-[560px] flex-col items-start gap-3">
        {(pending) => (
          <>
            <input type="hidden" name="heldId" value={id} />
            <StepUpField />
            <Button type="submit" variant="primary" disabled={pending}>
              {pending ? 'Making…' : 'Show the link'}
            </Button>
          </>
        )}
      </ActionForm>
    </Section>
  )
}

/** The approval, or the refusal with a reason; for whoever asked, taking it back. */
export function Decide({ request }: { request: HeldView }) {
  const { id, digest, state, own, mayDecide, mayPass, sends, takenAs } = request
  const router = useRouter()
  const refresh = () => router.refresh()
  if (state !== 'waiting' && state !== 'approved' && state !== 'ready') return null
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
      {sends === null || state !== 'waiting' ? null : takenAs === null ? (
        <Approve id={id} digest={digest} onDone={refresh} />
      ) : (
        <ApproveTaking id={id} digest={digest} onDone={refresh} />
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

type ApproveProps = { id: string; digest: string; onDone: () => void }

/** At once, or at a chosen time. */
function Approve({ id, digest, onDone }: ApproveProps) {
  const timeZone = useTimeZone()
  const [wall, setWall] = useState('')
  const sendAt = wall === '' ? '' : (isoOf(wall, timeZone) ?? 'incomplete')
  const done = () => {
    toast(sendAt === '' ? 'Approved and sent.' : 'Approved: it is sent at that time.')
    onDone()
  }
  return (
    <ActionForm action={approveHeldRequest} onDone={done} className="flex max-w-[560px] flex-col items-start gap-3">
      {(pending) => (
        <>
          <input type="hidden" name="heldId" value={id} />
          <input type="hidden" name="digest" value={digest} />
          <input type="hidden" name="sendAt" value={sendAt} />
          <TimeField
            kind="moment"
            name="sendAt"
            label="Send at"
            hint={`In the time zone ${timeZone}, within 7 days. Leave it empty to send it at once.`}
            optional
            className="w-full"
            value={wall}
            onChange={setWall}
          />
          <StepUpField />
          <Button type="submit" variant="primary" disabled={pending}>
            {pending ? 'Approving…' : wall === '' ? 'Approve and send' : 'Approve for later'}
          </Button>
        </>
      )}
    </ActionForm>
  )
}

/** What whoever asked takes afterwards. */
const ApproveTaking = ({ id, digest, onDone }: ApproveProps) => {
  const done = () => {
    toast('Approved.')
    onDone()
  }
  return (
    <ActionForm action={approveHeldRequest} onDone={done} className="flex max-w-[560px] flex-col items-start gap-3">
      {(pending) => (
        <>
          <input type="hidden" name="heldId" value={id} />
          <input type="hidden" name="digest" value={digest} />
          <StepUpField />
          <Button type="submit" variant="primary" disabled={pending}>
            {pending ? 'Approving…' : 'Approve'}
          </Button>
        </>
      )}
    </ActionForm>
  )
}

type GoWithoutProps = { id: string; digest: string; onDone: () => void }

/** For an owner who cannot wait for a second person. */
const GoWithout = ({ id, digest, onDone }: GoWithoutProps) => {
  const done = () => {
    toast('Sent without a second person.')
    onDone()
  }
  return (
    <Section title="If nobody can approve it in time">
      <p className="max-w-[72ch] text-muted">
        As an owner you can send it without a second person. Every owner is notified at once, with your reason, and Activity says so.
      </p>
      <ActionForm action={passHeldRequest} onDone={done} className="flex max-w-[560px] flex-col items-start gap-3">
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
}
