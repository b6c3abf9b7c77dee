import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readHome } from '@/lib/portal/views/home/home'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

const patienceMs = 1000

export const GET = guardedGet(async (actor) => answerRead('/api/home', await readHome(actor, patienceMs)))

export const OPTIONS = methodNotAllowed
