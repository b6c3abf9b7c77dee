'use server'

import { apps } from '@/lib/contract/operations/apps'
import { portalAction } from '@/lib/portal/entry/action'
import { refuseNoParts } from '@/lib/portal/entry/copied-parts'
import { installApp as install } from '@/lib/portal/entry/install-app'
import { dropCredentialsAction, showCredentialsAction } from '@/lib/portal/jobs/credentials'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Takes `siteId` and `app`. */
export const installApp = ownAction(apps.install.id, install)

/** Takes `siteId`, `files`, `database`, `tables` and, for a service with extensions, `new_password`. */
export const pullSite = portalAction(apps.pull, refuseNoParts)

/** Takes `siteId`, `files`, `database`, `tables` and the typed domain. */
export const pushSite = portalAction(apps.push, refuseNoParts)

/** Takes `jobId`, for whoever started the job. */
export const showCredentials = showCredentialsAction()

/** Takes `jobId`. */
export const dropCredentials = dropCredentialsAction()
