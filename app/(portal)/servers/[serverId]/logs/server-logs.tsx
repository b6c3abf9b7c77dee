'use client'

import { LogsView } from '@/app/_shared/logs/logs-view'
import { operationRead } from '@/app/_shared/reads/read-address'
import { firstLog, formatLog, usualLogs } from './log-names'

/** The logs of one server. */
export const ServerLogs = ({ serverId, name }: { serverId: string; name: string }) => (
  <LogsView
    source={{
      name,
      format: formatLog,
      first: firstLog,
      usual: usualLogs,
      read: (log) => operationRead('logs.fetch', { serverId, log }),
    }}
  />
)
