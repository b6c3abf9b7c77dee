import { answerHealth, isReady, refuseMethod } from '@/lib/portal/entry/health'

export const dynamic = 'force-dynamic'

/** For monitoring, and for the launcher, which waits for it. live: this process answers. ready: its database does too. */
export async function GET(): Promise<Response> {
  const ready = await isReady()
  return answerHealth({ live: true, ready }, ready)
}

export const OPTIONS = refuseMethod
