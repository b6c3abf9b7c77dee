import { summarizeFigures } from '@/app/_shared/servers/figures'
import { answerRead } from '@/app/api/answer-read'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { figureNames, readFigureColumns } from '@/lib/portal/views/vitals/figures'
import { readVitals } from '@/lib/portal/views/vitals/vitals'

export const dynamic = 'force-dynamic'

/** `?of=disk sites`: these figures of all servers. `order` is ignored: with it, the page's address of this read changes with its list. */
export const GET = guardedGet(async (actor, request) => {
  const asked = new Set((new URL(request.url).searchParams.get('of') ?? '').split(' '))
  const [figures, vitals] = await Promise.all([
    readFigureColumns(
      actor,
      figureNames.filter((name) => asked.has(name)),
    ),
    readVitals(actor),
  ])
  return answerRead('/api/servers/figures', { ...figures, ...summarizeFigures(vitals) })
})

export const OPTIONS = methodNotAllowed
