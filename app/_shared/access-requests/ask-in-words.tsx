import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import type { Actor } from '@/lib/portal/identity/actor'
import { findApprovers } from '@/lib/portal/subjects/team/requests/approvers'
import { listOwnRequests } from '@/lib/portal/subjects/team/requests/list'
import { AskInWordsHere } from './ask-in-words-here'

/** On a page that is empty for somebody who does not see everything: they ask in words, because no place is in their sight. */
export async function AskInWords({ actor }: { actor: Actor }) {
  if (actor.kind !== 'user' || seesAll(await rightOf(actor))) return null
  const approvers = await findApprovers(actor.team.id, { userId: actor.user.id, role: actor.role }, null)
  if (approvers.length === 0) return null
  return <AskInWordsHere first={{ own: await listOwnRequests(actor), others: [] }} />
}
