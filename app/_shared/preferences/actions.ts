'use server'

import { ownAction } from '@/lib/portal/entry/action'
import { savePreferences as save } from '@/lib/portal/identity/preferences'

/** Fields: theme, density, timeZone. */
export const savePreferences = ownAction('person.savePreferences', ({ actor, field }) =>
  save(actor.user.id, { theme: field('theme'), density: field('density'), timeZone: field('timeZone') }),
)
