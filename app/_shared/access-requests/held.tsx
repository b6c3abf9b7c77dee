'use client'

import type { Problem } from '@/lib/contract/problem'
import { Notice } from '../../_ui/notice'
import { Link } from '../../_ui/page-link'
import { toast } from '../../_ui/toast'
import { formatRefusal } from '../forms/call-action'

const pageOf = (heldId: string): string => `/approvals/${heldId}`

/** Why an action did not run: a failure, or that it waits for a second person, with the page of the request. */
export function Refusal({ problem }: { problem: Problem }) {
  if (problem.heldId === undefined) return <Notice tone="danger" alert title={formatRefusal(problem)} />
  return (
    <Notice tone="info" alert title={problem.sentence}>
      <Link href={pageOf(problem.heldId)} className="underline">
        View request
      </Link>
    </Notice>
  )
}

/** The same in a toast that stays, where there is no form. reason: what a failure is shown as. */
export function showProblem({ heldId, sentence }: Problem, reason = sentence): void {
  if (heldId === undefined) toast.error(reason)
  else showHeld(heldId, sentence)
}

function showHeld(heldId: string, sentence: string): void {
  toast(sentence, {
    duration: Number.POSITIVE_INFINITY,
    closeButton: true,
    action: { label: 'View request', onClick: () => window.location.assign(pageOf(heldId)) },
  })
}
