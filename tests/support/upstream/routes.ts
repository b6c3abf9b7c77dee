/** Finds the operation a request means, and answers it from the model in the law's own shapes. */
import type { SentFields } from './fields'
import { type Handler, type HandlerOf, type Model, type ModelAnswer, Refused } from './model'
import { serverOperations } from './server-operations'
import { siteOperations } from './site-operations'

type Room<Thing> = {
  general: Record<string, Handler>
  single: Record<string, HandlerOf<Thing>>
  things(model: Model): ReadonlyMap<string, Thing>
}

type Asked = { method: string; id: string; rest: readonly string[]; fields: SentFields }

function runIn<Thing>(room: Room<Thing>, model: Model, { method, id, rest, fields }: Asked): Record<string, unknown> {
  const general = rest.length === 0 ? room.general[`${method} ${id}`] : undefined
  if (general) return general(fields, model)
  const single = room.single[`${method} ${rest[0] === 'install' ? 'install' : rest.join('/')}`]
  const thing = room.things(model).get(id)
  if (!single || thing === undefined) throw new Refused(404, 'not_found', 'No resource has this id.')
  return single(thing, fields, model)
}

function run(model: Model, method: string, path: string, fields: SentFields): Record<string, unknown> {
  const [, subject, id = '', ...rest] = path.replace(/\/$/, '').split('/')
  const asked = { method, id, rest, fields }
  if (subject === 'servers') return runIn({ ...serverOperations, things: ({ servers }) => servers }, model, asked)
  if (subject === 'sites') return runIn({ ...siteOperations, things: ({ sites }) => sites }, model, asked)
  throw new Refused(404, 'not_found', 'There is no such address.')
}

/** Answers a request from the model, changing it where the operation does. */
export function answerFrom(model: Model, method: string, path: string, fields: SentFields): ModelAnswer {
  try {
    return { status: 200, body: { success: true, ...run(model, method, path, fields) } }
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}
