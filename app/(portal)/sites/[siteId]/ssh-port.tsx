'use client'

import type { ReactNode } from 'react'
import { useOperation } from '@/app/_shared/reads/use-read'

const usual = '22'

type SshPortProps = {
  /** The site's server; null while no list shows it. */
  serverId: string | null
  children: (port: string) => ReactNode
}

/** Renders what needs the port of the server’s SSH. Until the server is read, that is the usual one. */
export function SshPort({ serverId, children }: SshPortProps) {
  return serverId === null ? children(usual) : <OfServer serverId={serverId}>{children}</OfServer>
}

function OfServer({ serverId, children }: { serverId: string; children: SshPortProps['children'] }) {
  const { data } = useOperation('servers.summary', { serverId }, { everyMs: 300_000 })
  return children(data?.item[0].port || usual)
}

/** Neither an option nor anything that a shell would read otherwise. */
const plain = /^[\w:][\w.:-]*$/

/** Whether these values of a service may be parts of a command that people paste into a shell. */
export const arePlain = (parts: readonly string[]): boolean => parts.every((part) => plain.test(part))
