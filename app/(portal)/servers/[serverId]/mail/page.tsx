import { mail } from '@/lib/contract/operations/mail'
import { subjectPage } from '../server-page'
import { MailView } from './mail-view'

const page = subjectPage({
  read: mail.list,
  title: 'Mail queue',
  windowTitle: (name) => `Mail queue of ${name}`,
  reading: (name) => `Reading the mail queue of ${name}.`,
  needs: mail.delete,
  View: MailView,
})

export const generateMetadata = page.generateMetadata
export default page.Page
