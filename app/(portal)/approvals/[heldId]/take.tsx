'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { LinkDialog } from '@/app/_shared/dialogs/link-dialog'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Button } from '@/app/_ui/button'
import { Section } from '@/app/_ui/section'
import type { TakenLink } from '@/lib/portal/approvals/take'
import type { HeldView } from '@/lib/portal/approvals/view'
import { takeHeldLink } from '../actions'

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
