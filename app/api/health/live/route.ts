import { answerHealth, refuseMethod } from '@/lib/portal/entry/health'

export const dynamic = 'force-dynamic'

/** For monitoring: this process answers. */
export const GET = (): Response => answerHealth({ live: true }, true)

export const OPTIONS = refuseMethod
