/** Finds the operation of a request and answers it from the model, in the shapes of the spec. */
import type { OperationId } from '@/lib/contract'
import type { SentFields } from './fields'
import { type Handler, type HandlerOf, type Model, type ModelAnswer, Refused, type UpstreamServer, type UpstreamSite } from './model'
import { serverOperations } from './server-operations'
import { siteOperations } from './site-operations'

/** A handler at an address, such as `POST hostname?user`: after the question mark is the field that tells it from its twin. */
type Placed<Handle> = { address: string; handle: Handle }

type Room<Thing> = {
  general: Placed<Handler>[]
  single: Placed<HandlerOf<Thing>>[]
  things(model: Model): ReadonlyMap<string, Thing>
}

type Asked = { method: string; id: string; rest: readonly string[]; fields: SentFields }

const { general: serversInGeneral, single: onServer } = serverOperations
const { general: sitesInGeneral, single: onSite } = siteOperations

// A new operation of the contract is missing here until one of the two tables has it.
void ({ ...serversInGeneral, ...onServer, ...sitesInGeneral, ...onSite } satisfies Record<OperationId, unknown>)

const servers: Room<UpstreamServer> = {
  general: Object.values(serversInGeneral),
  single: Object.values(onServer),
  things: (model) => model.servers,
}

const sites: Room<UpstreamSite> = {
  general: Object.values(sitesInGeneral),
  single: Object.values(onSite),
  things: (model) => model.sites,
}

/** The handler for this address; undefined if there is none. If two share an address, the fields decide. */
function find<Handle>(placed: readonly Placed<Handle>[], address: string, fields: SentFields): Handle | undefined {
  const found = placed.filter((each) => each.address.split('?', 1)[0] === address)
  if (found.length < 2) return found[0]?.handle
  const [told, ...others] = found.filter((each) => (each.address.split('?')[1] ?? '') in fields)
  if (!told || others.length > 0) throw new Refused(422, 'ambiguous', 'The fields match two operations, or none.')
  return told.handle
}

function runIn<Thing>(room: Room<Thing>, model: Model, { method, id, rest, fields }: Asked): Record<string, unknown> {
  const general = rest.length === 0 ? find(room.general, `${method} ${id}`, fields) : undefined
  if (general) return general(fields, model)
  const thing = room.things(model).get(id)
  const single = thing && find(room.single, `${method} ${rest[0] === 'install' ? 'install' : rest.join('/')}`, fields)
  if (!single) throw new Refused(404, 'not_found', 'No resource has this id.')
  // The name of an app is part of the address.
  return single(thing, rest[0] === 'install' ? { ...fields, app: rest[1] ?? '' } : fields, model)
}

function run(model: Model, method: string, path: string, fields: SentFields): Record<string, unknown> {
  const [, subject, id = '', ...rest] = path.replace(/\/$/, '').split('/')
  const asked = { method, id, rest, fields }
  if (subject === 'servers') return runIn(servers, model, asked)
  if (subject === 'sites') return runIn(sites, model, asked)
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
