'use server'

import { savePreferences as save } from '@/lib/portal/identity/preferences'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Fields: theme, density, timeZone. */
export const savePreferences = ownAction('person.savePreferences', ({ actor, field }) =>
  save(actor.user.id, { theme: field('theme'), density: field('density'), timeZone: field('timeZone') }),
)
