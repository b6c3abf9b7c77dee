import { serverBackups } from '@/lib/contract/operations/server-backups'
import { sites } from '@/lib/contract/operations/sites'
import { findOffers } from '@/lib/portal/access/decide'
import { readSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { findPageServer } from '../find-page-server'
import { subjectPage } from '../server-page'
import { BackupsView } from './backups-view'

const page = subjectPage({
  read: serverBackups.list,
  title: 'Backups',
  windowTitle: (name) => `Backups of ${name}`,
  reading: (name) => `Listing the backups of ${name}.`,
  needs: serverBackups.delete,
  also: async ({ id }) => {
    const { actor } = await findPageServer(id)
    const offers = await findOffers(actor, { serverId: id })
    return { mayCreate: offers(sites.create), schedule: await readSchedule(actor, { kind: 'server', id }) }
  },
  View: BackupsView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
