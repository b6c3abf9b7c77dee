/** The email addresses of a site, as its service lists them. */
import 'server-only'
import type { Answer } from '@/lib/contract/operation'
import { email } from '@/lib/contract/operations/email'
import type { Outcome } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { toAsciiDomain } from '@/lib/text/ascii-domain'
import { runOperation } from '../spine'

type Address = Answer<typeof email.get>['item'][0]['emails'][number]

export async function readAddresses(actor: Actor, target: Target, options: RunOptions = {}): Promise<Outcome<readonly Address[]>> {
  const read = await runOperation(actor, email.get, target, {}, options)
  return read.ok ? { ...read, data: read.data.item[0].emails } : read
}

/** A service may list whole addresses. */
function isSameUser(listed: string, given: string): boolean {
  const [one, other] = [listed.trim().toLowerCase(), given.trim().toLowerCase()]
  return one === other || (!other.includes('@') && one.startsWith(`${other}@`))
}

/** Where an address leads; null if it is not listed. A service may list one for each of its destinations. */
export function destinationOf(addresses: readonly Address[], user: string): string | null {
  const found = addresses.filter((address) => isSameUser(address.user, user))
  return found.length === 0 ? null : found.map(({ destination }) => destination).join(', ')
}

/** The same; null also for an address that cannot be saved again as it is, because it has several destinations or none. */
export function restorableDestinationOf(addresses: readonly Address[], user: string): string | null {
  const [address, ...others] = addresses.filter((each) => isSameUser(each.user, user))
  return address && others.length === 0 && address.destination !== '' ? address.destination : null
}

/** With its domain as DNS has it: a service may list it so, and in lower case, whatever was sent. */
function normalDestination(destination: string): string {
  const at = destination.lastIndexOf('@') + 1
  const domain = destination.slice(at)
  return `${destination.slice(0, at)}${toAsciiDomain(domain) ?? domain}`.toLowerCase()
}

/** one: null if the address is not listed. */
export const isSameDestination = (one: string | null, other: string): boolean =>
  one !== null && normalDestination(one) === normalDestination(other)

/** What is before the @: people also enter the whole address. */
export function userOf(given: string, domain: string): string {
  const [user, whole] = [given.trim(), `@${domain.toLowerCase()}`]
  return user.toLowerCase().endsWith(whole) ? user.slice(0, -whole.length) : user
}
