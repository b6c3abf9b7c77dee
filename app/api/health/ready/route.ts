import { answerHealth, checkReadiness, refuseMethod } from '@/lib/portal/entry/health'

export const dynamic = 'force-dynamic'

/** For monitoring: what the portal needs is there. */
export async function GET(): Promise<Response> {
  const readiness = await checkReadiness()
  return answerHealth(readiness, readiness.ready)
}

export const OPTIONS = refuseMethod
