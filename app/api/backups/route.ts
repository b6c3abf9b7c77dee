import { jsonText } from '@/lib/portal/base/request/whole-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { answerBackupsSince, listBackups } from '@/lib/portal/views/backups/list'

export const dynamic = 'force-dynamic'

/** `?since=VERSION`: returns the list only if it has changed. */
export const GET = guardedGet(async (actor, request) => {
  const seen = new URL(request.url).searchParams.get('since')
  const body = await answerBackupsSince(await listBackups(actor), seen)
  return jsonText(body)
})

export const OPTIONS = methodNotAllowed
