/** Adds an email address of a site, or changes where it leads or its password. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { toAsciiDomain } from '@/lib/text/ascii-domain'
import { showBidiControls } from '@/lib/text/bidi'
import { runOperation } from '../spine'
import { keepUndo, refuseChange, type Undoable } from '../undoable/kept'
import { type Kept, kept } from '../undoable/kind'
import { destinationOf, readAddresses, restorableDestinationOf, userOf } from './addresses'
import { undoAddressAdd, undoForward } from './undo-addresses'

/**
 * Reads `siteId`, `user`, `destination`, `password` (may be empty), `adds` (1 for a new address) and, for one that is there, `seen`: where
 * it led when the form was opened. Reads the list first: services replace an address of the same name without a word.
 */
export async function saveAddress({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, destination, password] = [field('siteId'), field('destination').trim(), field('password')]
  const may = await decide(actor, email.save, { siteId })
  if (!may.ok) return may
  const adds = field('adds') === '1'
  // One that is there is sent as it is listed.
  const user = adds ? userOf(field('user'), toAsciiDomain(may.data.name) ?? may.data.name) : field('user')
  const listed = await readAddresses(actor, { siteId })
  if (!listed.ok) return listed
  const now = destinationOf(listed.data, user)
  const refusal = adds ? refuseKnown(now) : refuseUnseen(user, now, field('seen'))
  if (refusal) return { ok: false, problem: refusal }
  if (!adds && destination === now && password === '') return { ok: true, data: { undo: null } }
  const before = restorableDestinationOf(listed.data, user)
  if (!adds && before === null && destination === now) return { ok: false, problem: notOne(user) }
  const whole = !listed.cut && !listed.unreadable
  const inverse = adds
    ? inverseOfAdding(whole, user, destination)
    : inverseOfChange({ user, before, after: destination, password }, may.data.connection.extensions)
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, inverse)
  const saved = await runOperation(actor, email.save, { siteId }, { user, destination, password }, { requestId })
  return saved.ok ? { ok: true, data: { undo } } : refuseChange(undo, saved.problem)
}

const refuseKnown = (now: string | null): Problem | null =>
  now === null ? null : problem('invalid', { fields: { user: 'This address exists already. Change it in the list.' } })

function refuseUnseen(user: string, now: string | null, seen: string): Problem | null {
  if (now === seen) return null
  const sentence =
    now === null
      ? `${user} was deleted in the meantime. Add it again if you still need it.`
      : `${user} was changed in the meantime: it forwards to ${now} now. Close this and open it again.`
  return problem('changed_meanwhile', { sentence: showBidiControls(sentence) })
}

/** If a part of the list could not be read, the address may have been there. */
const inverseOfAdding = (whole: boolean, user: string, destination: string): Kept | null =>
  whole ? kept(undoAddressAdd, { user, destination }) : null

/** Saving needs one destination. */
const notOne = (user: string): Problem =>
  problem('unsuitable', {
    sentence: showBidiControls(`${user} has several destinations or none. Change it to one first, then set a password.`),
  })

type Change = { user: string; before: string | null; after: string; password: string }

/** A former password is not known, so nothing can restore it; and a service without extensions may lose the present one with the undo. */
const inverseOfChange = ({ user, before, after, password }: Change, extensions: boolean): Kept | null =>
  before === null || password !== '' || !extensions ? null : kept(undoForward, { user, before, after })
