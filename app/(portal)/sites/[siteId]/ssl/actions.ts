'use server'

import { ssl } from '@/lib/contract/operations/ssl'
import { portalAction } from '@/lib/portal/entry/action'
import { slowSiteAction } from '@/lib/portal/entry/undoable'
import { keptSslSwitch } from '@/lib/portal/subjects/ssl/undo-set'

/** Takes `siteId` and `status`, 1 or 0. */
export const switchSsl = slowSiteAction({ operation: ssl.set, field: 'status', inverseOf: keptSslSwitch })

/** Takes `siteId` and `status`, 1: while SSL is on, that orders a new certificate, and there is nothing to undo. */
export const renewCertificate = portalAction(ssl.set)
