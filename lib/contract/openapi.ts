/** Renders the interface as an OpenAPI 3.1 document. */

import type { Field, Limits } from '@/lib/contract/fields'
import { operations } from '@/lib/contract/index'
import { isJsonObject } from '@/lib/contract/json'
import { type JsonSchema, toJsonSchema } from '@/lib/contract/json-schema'
import type { Operation } from '@/lib/contract/operation'
import { type ProblemCode, problemKinds, serviceCodes } from '@/lib/contract/problem'

const formType = 'application/x-www-form-urlencoded'

function fieldSchema(field: Field): JsonSchema {
  const extension = field.extension && { 'x-extension': true }
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

/** Forms add brackets to a list's name and JSON does not; the service accepts both. */
const formName = (name: string, field: Field): string => (field.kind === 'list' ? `${name}[]` : name)

function bodySchema(operation: Operation): JsonSchema {
  const fields = Object.entries(operation.fields)
  return {
    title: operation.id,
    description: operation.description,
    ...policySchema(operation),
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [formName(name, field), fieldSchema(field)])),
    required: fields.filter(([, field]) => !field.extension).map(([name, field]) => formName(name, field)),
  }
}

/** The fields of a GET, which are sent in the query. */
const queryParameters = ({ fields }: Operation): JsonSchema[] =>
  Object.entries(fields).map(([name, field]) => ({
    name: formName(name, field),
    in: 'query',
    required: !field.extension,
    schema: fieldSchema(field),
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
  const schema = { type: 'object', properties: { success: { const: true }, ...members }, required: ['success', ...names] }
  // Slow work is answered with events to clients that accept them.
  return { 'application/json': { schema }, ...(operation.pace === 'slow' && { 'text/event-stream': { schema: { type: 'string' } } }) }
}

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
  const bodies = sharing.map(bodySchema)
  return {
    operationId: sharing.map((operation) => operation.id).join('_or_'),
    summary: sharing.map((operation) => operation.description).join(' Or: '),
    tags: [...new Set(sharing.map((operation) => operation.subject))],
    ...(sharing.length === 1 && policySchema(first)),
    ...(parameters.length + query.length > 0 && { parameters: [...parameters, ...query] }),
    ...(first.method === 'POST' && {
      requestBody: { required: true, content: { [formType]: { schema: bodies.length === 1 ? bodies[0] : { oneOf: bodies } } } },
    }),
    responses: {
      200: { description: 'Done.', content: answerContent(first) },
      default: { $ref: '#/components/responses/Failure' },
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
    success: { const: false },
    error: { type: 'string', description: 'An error message for people.' },
    code: { enum: codes, description: codes.map((code) => `${code} (${problemKinds[code].status})`).join(', ') },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    host_key: { type: 'string' },
  },
  required: ['success', 'error', 'code'],
}

/** The document served at /openapi.json. */
export function renderOpenApi(described: readonly Operation[] = operations): JsonSchema {
  return {
    openapi: '3.1.0',
    info: { title: 'Server and site management', version: '1', description },
    security: [{ key: [] }],
    paths: collectPaths(described),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      responses: { Failure: { description: 'Failed, or outcome unknown.', content: { 'application/json': { schema: failure } } } },
    },
  }
}
