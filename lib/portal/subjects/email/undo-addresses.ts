/** Undoes changes to email addresses of a site that are still as the change left them. Passwords are never stored, so none is restored. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { email } from '@/lib/contract/operations/email'
import type { Actor } from '@/lib/portal/identity/actor'
import { showBidiControls as shown } from '@/lib/text/bidi'
import { checkState, runInverse, tooLate } from '../revert/run-inverse'
import { type RevertRequest, undoKind } from '../undoable/kind'
import type { Subject } from '../undoable/subject'
import { destinationOf, isSameDestination, readAddresses } from './addresses'

const page = ({ id }: Subject) => ({ href: `/sites/${id}/email`, label: 'Email' })

/**
 * Adds a deleted address again, unless it exists. The bundled service takes an empty password for none. Another one may take it for a password
 * that anybody can guess, so it gets one that nobody knows.
 */
export const undoAddressDelete = undoKind({
  name: 'email.addAgain',
  schema: z.object({ user: z.string(), destination: z.string() }),
  summary: 'Adds the address again, without its password.',
  plain: false,
  needs: email.save,
  page,
  async revert(actor, request, { user, destination }) {
    const now = await readAddresses(actor, request.target)
    if (!now.ok) return now
    if (destinationOf(now.data, user) !== null) return tooLate(`${shown(user)} exists again, so there is nothing to undo.`)
    const password = request.extensions ? '' : randomBytes(24).toString('base64url')
    const saved = await save(actor, request, { user, destination, password })
    return saved.ok ? { ok: true, data: { message: `${shown(user)} was added again. To send, it needs a new password.` } } : saved
  },
})

/** Deletes an added address if it still leads where it did. */
export const undoAddressAdd = undoKind({
  name: 'email.takeOut',
  schema: z.object({ user: z.string(), destination: z.string() }),
  summary: 'Deletes the address.',
  plain: true,
  needs: email.delete,
  page,
  async revert(actor, request, { user, destination }) {
    const now = await readAddresses(actor, request.target)
    if (!now.ok) return now
    if (!isSameDestination(destinationOf(now.data, user), destination)) return tooLate(changedSince(user))
    const deleted = await runInverse(actor, email.delete, request, { user }, () =>
      checkState(readAddresses(actor, request.target), (addresses, whole) => whole && destinationOf(addresses, user) === null),
    )
    return deleted.ok ? { ok: true, data: { message: `${shown(user)} was deleted again.` } } : deleted
  },
})

/** Restores where an address led if it still leads where the change put it. */
export const undoForward = undoKind({
  name: 'email.forward',
  schema: z.object({ user: z.string(), before: z.string(), after: z.string() }),
  summary: 'Restores where the address forwards to.',
  plain: true,
  needs: email.save,
  page,
  async revert(actor, request, { user, before, after }) {
    const now = await readAddresses(actor, request.target)
    if (!now.ok) return now
    const destination = destinationOf(now.data, user)
    if (isSameDestination(destination, before))
      return tooLate(`${shown(user)} forwards to ${shown(before)} again, so there is nothing to undo.`)
    if (!isSameDestination(destination, after)) return tooLate(changedSince(user))
    const saved = await save(actor, request, { user, destination: before, password: '' })
    return saved.ok ? { ok: true, data: { message: `${shown(user)} forwards to ${shown(before)} again.` } } : saved
  },
})

const changedSince = (user: string): string => `${shown(user)} has been changed or deleted since. Check the site’s page Email.`

type SavedAddress = { user: string; destination: string; password: string }

const save = (actor: Actor, request: RevertRequest, address: SavedAddress) =>
  runInverse(actor, email.save, request, address, () =>
    checkState(readAddresses(actor, request.target), (addresses) =>
      isSameDestination(destinationOf(addresses, address.user), address.destination),
    ),
  )
