'use client'

import { LogsView } from '@/app/_shared/logs/logs-view'
import { operationRead } from '@/app/_shared/reads/read-address'

const labels: Readonly<Record<string, string>> = { access: 'Requests', error: 'Web errors', php: 'PHP' }

const formatLog = (log: string): string => (Object.hasOwn(labels, log) ? labels[log] : undefined) ?? log

/** The logs of one site. */
export const SiteLogs = ({ siteId, name }: { siteId: string; name: string }) => (
  <LogsView
    source={{
      name,
      format: formatLog,
      first: 'access',
      usual: Object.keys(labels),
      read: (log) => operationRead('logs.fetchSite', { siteId, log }),
    }}
  />
)
