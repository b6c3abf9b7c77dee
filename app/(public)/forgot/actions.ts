'use server'

import { readDevice } from '@/lib/portal/base/request/device'
import { publicAction } from '@/lib/portal/base/request/public-action'
import { requestReset } from '@/lib/portal/identity/request-reset'

/** Field: email. The answer is the same for every address. */
export const forgot = publicAction(['email'], async (field) => {
  await requestReset(field('email'), await readDevice())
  return null
})
