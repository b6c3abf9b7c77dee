/** A server and a connection as pages see them. */
import type { Problem } from '@/lib/contract/problem'

export type ServerRow = {
  /** The portal's own opaque id. */
  id: string
  name: string
  hostname: string
  dns: string
  provider: string
  /** new, installing, ready, failed; empty where the service says nothing. */
  state: string
  hostKey: string
  sandbox: boolean
  /** Label of the connection that would act. */
  connectionLabel: string
  runningJobId: string | null
  /** When a service last listed it, ISO. */
  listedAt: string
}

export type ConnectionRow = { id: string; label: string; kind: string; state: string; problem: Problem | null }
