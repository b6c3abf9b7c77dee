import { serverBackups } from '@/lib/contract/operations/server-backups'
import { sites } from '@/lib/contract/operations/sites'
import { mayRun } from '@/lib/portal/access/roles'
import { findPageServer } from '../find-page-server'
import { subjectPage } from '../server-page'
import { BackupsView } from './backups-view'

const page = subjectPage({
  read: serverBackups.list,
  title: 'Backups',
  windowTitle: (name) => `Backups of ${name}`,
  reading: (name) => `Listing the backups of ${name}.`,
  needs: 'destroy',
  also: async ({ id }) => {
    const { actor } = await findPageServer(id)
    return { mayCreate: mayRun(actor.role, sites.create.effect) }
  },
  View: BackupsView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
