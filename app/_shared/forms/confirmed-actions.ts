/**
 * Actions on a server that need only its typed name: in the server's menu and the palette. The contract says which operations these
 * are.
 */
import { type LucideIcon, RotateCw } from 'lucide-react'
import type { servers } from '@/lib/contract/operations/servers'

type ServerOperations = typeof servers

/** Operations on one server that require its typed name and nothing else. */
type ConfirmedVerb = {
  [Verb in keyof ServerOperations]: ServerOperations[Verb] extends { freshSignIn: true }
    ? never
    : ServerOperations[Verb] extends { confirm: 'name'; fields: Record<string, never> }
      ? Verb
      : never
}[keyof ServerOperations]

export type ConfirmedAction = {
  /** Verb and object: menu item, title and button. */
  title: string
  /** Only services that announce extensions offer it. */
  extension: boolean
  /** What happens. */
  description: (server: string) => string
  done: (server: string) => string
  /** In the palette. */
  name: (server: string) => string
  Icon: LucideIcon
  verbs: readonly string[]
  nouns: readonly string[]
}

const confirmedActions: Readonly<Record<ConfirmedVerb, ConfirmedAction>> = {
  reboot: {
    title: 'Reboot server',
    extension: true,
    description: (server) => `${server} restarts. Everything on it is offline for a minute or two.`,
    done: (server) => `${server} is rebooting.`,
    name: (server) => `Reboot ${server}`,
    Icon: RotateCw,
    verbs: ['reboot', 'restart'],
    nouns: ['server'],
  },
}

export const confirmedServerActions: readonly (ConfirmedAction & { operation: string; id: string })[] = Object.entries<ConfirmedAction>(
  confirmedActions,
).map(([verb, action]) => ({ ...action, operation: `servers.${verb}`, id: `begin-${verb}` }))
