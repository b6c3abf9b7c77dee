import { serverBackups } from '@/lib/contract/operations/server-backups'
import { subjectPage } from '../server-page'
import { BackupsView } from './backups-view'

const page = subjectPage({
  read: serverBackups.list,
  title: 'Backups',
  windowTitle: (name) => `Backups of ${name}`,
  reading: (name) => `Listing the backups of ${name}.`,
  needs: 'destroy',
  View: BackupsView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
