import { database } from '@/lib/contract/operations/database'
import { toReadableDomain } from '@/lib/text/idn'
import { subjectPage } from '../site-page'
import { DatabaseView } from './database-view'

const page = subjectPage({
  read: database.get,
  title: 'Database',
  windowTitle: (name) => `Database of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the database of ${toReadableDomain(name)}.`,
  needs: database.save,
  also: async (site) => site,
  View: DatabaseView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
