'use server'

import { sites } from '@/lib/contract/operations/sites'
import { configureSite as configure } from '@/lib/portal/entry/configure-site'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Takes `siteId` and the settings: `php`, `upload_limit`, `memory_limit`, `folder`, `workers`, `waiting`, `mail_per_hour`, `www_redirect` and `hsts`. */
export const configureSite = ownAction(sites.configure.id, configure)
