import { firewall } from '@/lib/contract/operations/firewall'
import { findPageServer, readSummary } from '../find-page-server'
import { subjectPage } from '../server-page'
import { FirewallSkeleton } from './firewall-skeleton'
import { FirewallView } from './firewall-view'

const page = subjectPage({
  read: firewall.get,
  title: 'Firewall',
  windowTitle: (name) => `Firewall of ${name}`,
  reading: (name) => `Reading the firewall of ${name}.`,
  needs: firewall.saveRule,
  also: readWayIn,
  View: FirewallView,
  Skeleton: FirewallSkeleton,
})

export const generateMetadata = page.generateMetadata
export default page.Page

/** The port that the service itself connects to, and whether it reverts a change that cuts it off. */
async function readWayIn({ id }: { id: string }): Promise<{ sshPort: number; undoes: boolean }> {
  const [{ server }, summary] = await Promise.all([findPageServer(id), readSummary(id)])
  return { sshPort: summary.ok ? Number(summary.data.item[0].port) || 22 : 22, undoes: server.extensions }
}
