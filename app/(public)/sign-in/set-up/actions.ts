'use server'

import { answeringAction } from '@/lib/portal/base/request/public-action'
import { finishSetUpBrowser, startSetUpBrowser } from '@/lib/portal/identity/second-factor/set-up-browser'

/** Returns the seed, once. */
export const startFirstAuthenticator = answeringAction(() => startSetUpBrowser())

/** Field: code. Signs in and returns the recovery codes, once. */
export const confirmFirstAuthenticator = answeringAction((field) => finishSetUpBrowser(field('code')))
