/** Whose a server is, in one word: the provider behind it. */
import type { ListedServer } from '@/lib/portal/subjects/servers/row'

export const kindOf = (server: ListedServer): string =>
  server.sandbox ? 'sandbox' : server.provider === '' ? 'unsaid' : server.provider === 'custom' ? 'ssh' : server.provider

const providers: Record<string, string> = { ssh: 'Own server', sandbox: 'Sandbox', unsaid: 'Unknown' }

export const formatKind = (kind: string): string => providers[kind] ?? kind
