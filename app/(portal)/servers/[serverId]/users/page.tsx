import { users } from '@/lib/contract/operations/users'
import { subjectPage } from '../server-page'
import { UsersView } from './users-view'

const page = subjectPage({
  read: users.list,
  title: 'System users',
  windowTitle: (name) => `Users of ${name}`,
  reading: (name) => `Reading the users of ${name}.`,
  needs: users.delete,
  View: UsersView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
