import { answerHealth, isReady, refuseMethod } from '@/lib/portal/entry/health'

export const dynamic = 'force-dynamic'

/**
 * For balancers, and for the launcher, which waits for it. live: this process answers. ready: its database does too, and it is not about to end. Without
 * the service, which all portals share: a balancer would leave no portal to say that it is away.
 */
export async function GET(): Promise<Response> {
  const ready = await isReady()
  return answerHealth({ live: true, ready }, ready)
}

export const OPTIONS = refuseMethod
