/** What members of a test have, as those who were invited do: everything, or nothing as a guest. For a new membership's row. */
import { everything } from '@/lib/portal/access/grants/stored'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Role } from '@/lib/portal/identity/actor'

// Valid long since, because some tests set the clock back.
const epoch = new Date(0)

export const giveEverything = (role: Role) => (role === 'guest' ? {} : { grants: { create: everything(createOpaqueId(), '', epoch) } })
