import { aliases } from '@/lib/contract/operations/aliases'
import { toReadableDomain } from '@/lib/text/idn'
import { subjectPage } from '../site-page'
import { AliasesView } from './aliases-view'

const page = subjectPage({
  read: aliases.list,
  title: 'Aliases',
  windowTitle: (name) => `Aliases of ${toReadableDomain(name)}`,
  reading: (name) => `Reading the aliases of ${toReadableDomain(name)}.`,
  needs: aliases.save,
  View: AliasesView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
