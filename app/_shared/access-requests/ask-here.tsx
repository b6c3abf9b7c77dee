import type { ReactNode } from 'react'
import type { Operation } from '@/lib/contract/operation'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import type { Actor } from '@/lib/portal/identity/actor'
import { findApprovers } from '@/lib/portal/subjects/team/requests/approvers'
import { askableIdOf, findAskableHere } from '@/lib/portal/subjects/team/requests/askable'
import { type AccessRequestView, listOwnRequests } from '@/lib/portal/subjects/team/requests/list'
import type { AccessPlace } from '../access/draft'
import { AskFrame, AskInWordsHere } from './ask-frame'

/** On a page that is empty for somebody who does not see everything: they ask in words, because no place is in their sight. */
export async function AskInWords({ actor }: { actor: Actor }) {
  if (actor.kind !== 'user' || seesAll(await rightOf(actor))) return null
  const approvers = await findApprovers(actor.team.id, { userId: actor.user.id, role: actor.role }, null)
  if (approvers.length === 0) return null
  return <AskInWordsHere first={{ own: await listOwnRequests(actor), others: [] }} />
}

const rememberedMs = 2 * 86_400_000

type AskHereProps = {
  actor: Actor
  place: AccessPlace
  /** What the page needs, in the order in which it is asked for. */
  needs?: readonly Operation[]
  children: ReactNode
}

/** What is missing on a page of a server or site can be asked for below it. Somebody who lacks nothing sees nothing of it. */
export async function AskHere({ actor, place, needs = [], children }: AskHereProps) {
  if (actor.kind !== 'user') return children
  const [{ choices, ceiling }, own] = await Promise.all([findAskableHere(actor, place), listOwnRequests(actor)])
  const here = own.filter((request) => request.place?.id === place.id)
  const isAnswered = ({ answeredAt }: AccessRequestView) => answeredAt !== null && Date.now() - Date.parse(answeredAt) < rememberedMs
  // Whoever has just got everything keeps the frame, so that the answer is read.
  if (choices.length === 0 && ceiling === '' && !here.some((each) => each.state === 'open' || isAnswered(each))) return children
  const offered = new Set(choices.map(({ id }) => id))
  const what = needs.map(askableIdOf).find((id) => offered.has(id)) ?? ''
  return (
    <AskFrame place={place} choices={choices} ceiling={ceiling} what={what} first={{ own, others: [] }}>
      {children}
    </AskFrame>
  )
}
