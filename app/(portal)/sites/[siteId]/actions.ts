'use server'

import { aliases } from '@/lib/contract/operations/aliases'
import { apps } from '@/lib/contract/operations/apps'
import { email } from '@/lib/contract/operations/email'
import { sites } from '@/lib/contract/operations/sites'
import { ssl } from '@/lib/contract/operations/ssl'
import { portalAction } from '@/lib/portal/entry/action'
import { configureSite as configure } from '@/lib/portal/entry/configure-site'
import { refuseNoParts } from '@/lib/portal/entry/copied-parts'
import { installApp as install } from '@/lib/portal/entry/install-app'
import { switchEmail as startSwitch } from '@/lib/portal/entry/switch-email'
import { slowSiteAction } from '@/lib/portal/entry/undoable'
import { dropCredentialsAction, showCredentialsAction } from '@/lib/portal/jobs/credentials'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { keptAlias } from '@/lib/portal/subjects/aliases/undo-delete'
import { deleteAddress as removeAddress } from '@/lib/portal/subjects/email/delete-address'
import { saveAddress as putAddress } from '@/lib/portal/subjects/email/save-address'
import { keptSslSwitch } from '@/lib/portal/subjects/ssl/undo-set'

/** Takes `siteId` and `alias`. */
export const deleteAlias = slowSiteAction({ operation: aliases.delete, field: 'alias', inverseOf: keptAlias })

/** Takes `siteId`, `status`, `anyway` (1 or 0 each) and `elsewhere`, as the page showed it. */
export const switchEmail = ownAction(email.set.id, startSwitch)

/** Takes `siteId`, `user`, `destination`, `password`, and `adds` for a new address or `seen` for one that is there. */
export const saveAddress = ownAction(email.save.id, putAddress)

/** Takes `siteId` and `user`. */
export const deleteAddress = ownAction(email.delete.id, removeAddress)

/** Takes `siteId` and the settings: `php`, `upload_limit`, `memory_limit`, `folder`, `workers`, `waiting`, `mail_per_hour`, `www_redirect` and `hsts`. */
export const configureSite = ownAction(sites.configure.id, configure)

/** Takes `siteId` and `status`, 1 or 0. */
export const switchSsl = slowSiteAction({ operation: ssl.set, field: 'status', inverseOf: keptSslSwitch })

/** Takes `siteId` and `status`, 1: while SSL is on, that orders a new certificate, and there is nothing to undo. */
export const renewCertificate = portalAction(ssl.set)

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
