import { jsonText } from '@/lib/portal/base/request/whole-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { answerVitalsSince, readVitals } from '@/lib/portal/views/vitals/vitals'

export const dynamic = 'force-dynamic'

/** `?since=VERSION`: returns the figures only if any has changed. */
export const GET = guardedGet(async (actor, request) => {
  const seen = new URL(request.url).searchParams.get('since')
  return jsonText(await answerVitalsSince(await readVitals(actor), seen))
})

export const OPTIONS = methodNotAllowed
