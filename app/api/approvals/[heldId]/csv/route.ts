import { csvResponse } from '@/app/api/activity/csv-response'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { takeExport } from '@/lib/portal/views/activity/export-log'

export const dynamic = 'force-dynamic'

/** The audit log as a second person approved it, for whoever asked, until 60 minutes after that. */
export const GET = guardedGet(async (actor, _, { heldId = '' }) => {
  const taken = await takeExport(actor, heldId)
  return taken.ok ? csvResponse(actor, taken.data.filter, taken.data.zone) : problemResponse(taken.problem)
})

export const OPTIONS = methodNotAllowed
