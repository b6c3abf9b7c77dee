/** Renders the interface as an OpenAPI 3.1 document. */

import { isRequired } from '@/lib/contract/field-values'
import type { Field, Limits } from '@/lib/contract/fields'
import { type contract, operations } from '@/lib/contract/index'
import { isJsonObject } from '@/lib/contract/json'
import { type JsonSchema, toJsonSchema } from '@/lib/contract/json-schema'
import type { Operation } from '@/lib/contract/operation'
import { type ProblemCode, problemKinds, serviceCodes } from '@/lib/contract/problem'

const urlEncoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'

/** The service takes more forms of lists and flags than the document describes: one is enough for a client. */
type Encoding = 'form' | 'json'

function fieldSchema(field: Field, encoding: Encoding): JsonSchema {
  const extension = field.extension && { 'x-extension': true }
  if (field.kind === 'flag' && encoding === 'json' && !field.integer) return { type: 'boolean', ...extension }
  if (field.kind === 'flag') return { type: 'integer', enum: [0, 1], ...extension }
  if (field.kind === 'list') return { type: 'array', items: { type: 'string' }, ...extension }
  return { type: 'string', ...(field.kind === 'secret' && { format: 'password' }), ...limitsOf(field), ...extension }
}

/** Numbers are sent as text, so their range is an extension keyword; so are bytes, which JSON Schema cannot count. */
function limitsOf({ minLength, maxLength, maxBytes, min, max, pattern, values }: Limits): JsonSchema {
  return {
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(maxBytes !== undefined && { 'x-max-bytes': maxBytes }),
    ...(min !== undefined && { 'x-minimum': min }),
    ...(max !== undefined && { 'x-maximum': max }),
    ...(pattern !== undefined && { pattern: `^(?:${pattern})$` }),
    ...(values !== undefined && { enum: values }),
  }
}

/** Forms add brackets to a list's name and JSON does not. */
const nameIn = (encoding: Encoding, name: string, field: Field): string =>
  field.kind === 'list' && encoding === 'form' ? `${name}[]` : name

function bodySchema(operation: Operation, encoding: Encoding): JsonSchema {
  const fields = Object.entries(operation.fields)
  const required = fields.filter(([, field]) => isRequired(field)).map(([name, field]) => nameIn(encoding, name, field))
  return {
    title: operation.id,
    description: operation.description,
    ...policySchema(operation),
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [nameIn(encoding, name, field), fieldSchema(field, encoding)])),
    ...(required.length > 0 && { required }),
  }
}

/** The body of operations that share a path; nothing for one without fields. */
function requestBody(sharing: readonly Operation[]): JsonSchema {
  if (sharing.every(({ fields }) => Object.keys(fields).length === 0)) return {}
  const schemaIn = (encoding: Encoding) => {
    const [body, ...others] = sharing.map((operation) => bodySchema(operation, encoding))
    return { schema: others.length === 0 ? body : { oneOf: [body, ...others] } }
  }
  const lists = sharing.flatMap(({ fields }) => Object.entries(fields)).filter(([, { kind }]) => kind === 'list')
  // The default of the specification, which not every program knows. Only a form has its own way to write reserved characters.
  const encodingIn = (type: string) => {
    const encoding = { style: 'form', explode: true, ...(type === multipart && { allowReserved: true }) }
    return { encoding: Object.fromEntries(lists.map(([name, field]) => [nameIn('form', name, field), encoding])) }
  }
  const forms = [urlEncoded, multipart].map((type) => [type, { ...schemaIn('form'), ...(lists.length > 0 && encodingIn(type)) }])
  return { requestBody: { required: true, content: { ...Object.fromEntries(forms), 'application/json': schemaIn('json') } } }
}

/** The fields of a GET, which are sent in the query. */
const queryParameters = ({ fields }: Operation): JsonSchema[] =>
  Object.entries(fields).map(([name, field]) => ({
    name: nameIn('form', name, field),
    in: 'query',
    required: isRequired(field),
    schema: fieldSchema(field, 'form'),
  }))

/** What a client should confirm with the user before the call, and what it may offer afterwards. */
function policySchema({ effect, extension, confirm, freshSignIn, undoable }: Operation): JsonSchema {
  return {
    'x-effect': effect,
    ...(extension && { 'x-extension': true }),
    ...(confirm && { 'x-confirm': confirm === 'name' ? 'name' : `field ${confirm.field}` }),
    ...(freshSignIn && { 'x-fresh-sign-in': true }),
    ...(undoable && { 'x-undoable': true }),
  }
}

function answerContent(operation: Operation): JsonSchema {
  if (operation.stream) return { 'text/event-stream': { schema: { type: 'string' } } }
  const { properties, required } = toJsonSchema(operation.answer)
  const names: unknown[] = Array.isArray(required) ? required : []
  const members = isJsonObject(properties) ? properties : {}
  const schema = { type: 'object', properties: { success: { type: 'boolean', const: true }, ...members }, required: ['success', ...names] }
  // Slow work is answered with events to clients that accept them.
  return { 'application/json': { schema }, ...(operation.pace === 'slow' && { 'text/event-stream': { schema: { type: 'string' } } }) }
}

const effects: Readonly<Record<Operation['effect'], string>> = {
  read: 'Changes nothing.',
  export: 'Lets data out.',
  change: 'Changes something.',
  destroy: 'Deletes or replaces something for good.',
}

const slowness =
  'Slow: with `Accept: text/event-stream` the answer is a stream of events. With `Last-Event-ID` it continues after that event, and starts nothing.'

/** Operations with the same method and path share one entry, with alternative bodies. */
function pathItem(sharing: readonly [Operation, ...Operation[]]): JsonSchema {
  const [first] = sharing
  const parameters = [...first.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const query = first.method === 'GET' ? sharing.flatMap(queryParameters) : []
  return {
    operationId: sharing.map((operation) => operation.id).join('_or_'),
    summary: sharing.map((operation) => operation.description).join(' Or: '),
    description: [...new Set(sharing.map(({ effect }) => effects[effect])), ...(first.pace === 'slow' ? [slowness] : [])].join(' '),
    tags: [...new Set(sharing.map((operation) => operation.subject))],
    ...(sharing.length === 1 && policySchema(first)),
    ...(parameters.length + query.length > 0 && { parameters: [...parameters, ...query] }),
    ...(first.method === 'POST' && requestBody(sharing)),
    responses: {
      200: { description: 'Done.', content: answerContent(first) },
      ...(first.pace === 'slow' && { 204: { description: 'The client has seen the last event of work that has ended.' } }),
      '4XX': { $ref: '#/components/responses/Failure' },
      '5XX': { $ref: '#/components/responses/Failure' },
    },
  }
}

function collectPaths(operations: readonly Operation[]): Record<string, JsonSchema> {
  const groups = new Map<string, [Operation, ...Operation[]]>()
  for (const operation of operations) {
    const key = `${operation.method} ${operation.path}`
    const group = groups.get(key)
    if (group) group.push(operation)
    else groups.set(key, [operation])
  }
  const paths: Record<string, JsonSchema> = {}
  for (const group of groups.values()) {
    const [{ path, method }] = group
    paths[path] = { ...paths[path], [method.toLowerCase()]: pathItem(group) }
  }
  return paths
}

const description =
  'Every request carries `Authorization: Bearer KEY`. Limits of fields are those of this service; the interface itself names none. ' +
  '`x-extension`: for clients of services that announce extensions alone. `x-names`: which server, site or connection a member names.'

const codes: readonly ProblemCode[] = [...serviceCodes]

const failure = {
  type: 'object',
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string', description: 'An error message for people.' },
    code: { type: 'string', enum: codes, description: codes.map((code) => `${code} (${problemKinds[code].status})`).join(', ') },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    host_key: { type: 'string' },
  },
  required: ['success', 'error', 'code'],
}

const tags: Readonly<Record<keyof typeof contract, string>> = {
  servers: 'Servers: added, installed, renamed, removed.',
  services: 'Services of a server: listed and restarted.',
  cron: 'Cron jobs of a server.',
  users: 'System users of a server.',
  firewall: 'The firewall of a server.',
  logs: 'Logs of a server or a site.',
  mail: 'The mail queue of a server.',
  serverBackups: 'Backups of a server.',
  lastBackups: 'Backups of sites that were deleted.',
  sites: 'Sites: added, configured, downloaded, deleted.',
  sftp: 'Keys with which the user of a site signs in by SFTP.',
  ssl: 'SSL of a site.',
  database: 'The database of a site.',
  apps: 'The app of a site, and its staging copy.',
  aliases: 'Further names of a site.',
  backups: 'Backups of a site.',
  copies: 'Copies of a site’s backups outside of its server.',
  email: 'Email of a site.',
}

/**
 * The document served at /openapi.json.
 * @param origin where the service is reached
 */
export function renderOpenApi(origin: string, described: readonly Operation[] = operations): JsonSchema {
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
  return {
    openapi: '3.1.0',
    info: { title: 'Server and site management', version: '1', description, license, contact: { name: 'The operator of this service' } },
    servers: [{ url: origin, description: 'This service.' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    security: [{ key: [] }],
    paths: collectPaths(described),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      responses: { Failure: { description: 'Failed, or outcome unknown.', content: { 'application/json': { schema: failure } } } },
    },
  }
}
