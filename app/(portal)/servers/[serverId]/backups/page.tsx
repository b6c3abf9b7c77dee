import { serverBackups } from '@/lib/contract/operations/server-backups'
import { sites } from '@/lib/contract/operations/sites'
import { findOffers } from '@/lib/portal/access/decide'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { readSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { listCopiesOfServer } from '@/lib/portal/subjects/backup-targets/copies'
import { findPageServer } from '../find-page-server'
import { subjectPage } from '../server-page'
import { BackupsView } from './backups-view'

const page = subjectPage({
  read: serverBackups.list,
  title: 'Backups',
  windowTitle: (name) => `Backups of ${name}`,
  reading: (name) => `Listing the backups of ${name}.`,
  needs: serverBackups.delete,
  also: async ({ id, extensions }) => {
    const { actor } = await findPageServer(id)
    const offers = await findOffers(actor, { serverId: id })
    if (!extensions) return { mayCreate: offers(sites.create), copies: null }
    const [schedule, elsewhere, copied] = await Promise.all([
      readSchedule(actor, { kind: 'server', id }),
      listCopiesOfServer(actor, id),
      findNewestJob(actor, { serverId: id }, serverBackups.copy),
    ])
    return {
      mayCreate: offers(sites.create),
      // Who may not know of backup targets has no schedule either.
      copies: schedule && { mayCopy: offers(serverBackups.copy), copied, elsewhere, schedule },
    }
  },
  View: BackupsView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
