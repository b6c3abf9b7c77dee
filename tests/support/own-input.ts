/** What a handler of one of the portal's own actions gets, as a form of this person's would give it. */
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** For operations that ask for one. */
export const signedInLately = async (): Promise<null> => null

/** With a sign-in that is fresh, unless `more` says otherwise. */
export function inputOf(actor: Actor, fields: Readonly<Record<string, string>>, more: Partial<OwnInput> = {}): OwnInput {
  return { actor, requestId: createOpaqueId(), field: (name) => fields[name] ?? '', stepUp: signedInLately, ...more }
}
