import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { readNight } from '@/lib/portal/views/home/night'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

/** `zone` is the browser's time zone. */
export const GET = guardedGet(async (actor, request) => {
  const zone = new URL(request.url).searchParams.get('zone') ?? undefined
  return answerRead('/api/night', await readNight(actor, zoneFor(actor.preferences, zone)))
})

export const OPTIONS = methodNotAllowed
