/** Adds an email address of a site, or changes where it leads or its password. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { toAsciiDomain } from '@/lib/text/ascii-domain'
import { showBidiControls } from '@/lib/text/bidi'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { kept } from '../undoable/kind'
import { onSite } from '../undoable/subject'
import { destinationOf, readAddresses, restorableDestinationOf, userOf } from './addresses'
import { undoAddressAdd, undoForward } from './undo-addresses'

/**
 * Reads `siteId`, `user`, `destination`, `password` (may be empty), `adds` (1 for a new address) and, for one that is there, `seen`: where
 * it led when the form was opened. Reads the list first: services replace an address of the same name without a word.
 */
export const saveAddress = (input: OwnInput): Promise<Outcome<Undoable>> =>
  input.field('adds') === '1' ? addAddress(input) : changeAddress(input)

function addAddress({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, destination, password] = [field('siteId'), field('destination').trim(), field('password')]
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: email.save,
    async read({ name }) {
      const user = userOf(field('user'), toAsciiDomain(name) ?? name)
      const listed = await readAddresses(actor, { siteId })
      if (!listed.ok) return listed
      if (destinationOf(listed.data, user) !== null) return { ok: false, problem: isKnown }
      return { ok: true, data: { user, whole: !listed.cut && !listed.unreadable } }
    },
    // If a part of the list could not be read, the address may have been there.
    inverse: ({ user, whole }) => (whole ? kept(undoAddressAdd, { user, destination }) : null),
    run: ({ user }) => save(actor, siteId, { user, destination, password }, requestId),
  })
}

const isKnown = problem('invalid', { fields: { user: 'This address exists already. Change it in the list.' } })

/** One that is there is sent as it is listed. */
function changeAddress({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, user, destination, password] = [field('siteId'), field('user'), field('destination').trim(), field('password')]
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: email.save,
    async read() {
      const listed = await readAddresses(actor, { siteId })
      if (!listed.ok) return listed
      const now = destinationOf(listed.data, user)
      if (now === null || now !== field('seen')) return { ok: false, problem: changedMeanwhile(user, now) }
      const before = restorableDestinationOf(listed.data, user)
      if (before === null && destination === now && password !== '') return { ok: false, problem: notOne(user) }
      return { ok: true, data: { before, stays: destination === now && password === '' } }
    },
    inverse({ before, stays }, { connection }) {
      // A former password is not known, so nothing can restore it; and a service without extensions may lose the present one with the undo.
      const cannot = stays || before === null || password !== '' || !connection.extensions
      return cannot ? null : kept(undoForward, { user, before, after: destination })
    },
    run: async ({ stays }) => (stays ? succeeded : save(actor, siteId, { user, destination, password }, requestId)),
  })
}

function changedMeanwhile(user: string, now: string | null): Problem {
  const sentence =
    now === null
      ? `${user} was deleted in the meantime. Add it again if you still need it.`
      : `${user} was changed in the meantime: it forwards to ${now} now. Close this and open it again.`
  return problem('changed_meanwhile', { sentence: showBidiControls(sentence) })
}

/** Saving needs one destination. */
const notOne = (user: string): Problem =>
  problem('unsuitable', {
    sentence: showBidiControls(`${user} has several destinations or none. Change it to one first, then set a password.`),
  })

const succeeded = { ok: true, data: {} } as const

type Address = { user: string; destination: string; password: string }

/** What the service answers besides, no page shows. */
async function save(actor: Actor, siteId: string, address: Address, requestId: string): Promise<Outcome<object>> {
  const saved = await runOperation(actor, email.save, { siteId }, address, { requestId })
  return saved.ok ? succeeded : saved
}
