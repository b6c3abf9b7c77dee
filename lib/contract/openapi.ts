/** The interface as an OpenAPI 3.1 document. */
import { operations } from '@/lib/contract/index'
import { isJsonObject } from '@/lib/contract/json'
import { type JsonSchema, toJsonSchema } from '@/lib/contract/json-schema'
import type { Field, Operation } from '@/lib/contract/operation'
import { type ProblemCode, problemKinds, serviceCodes } from '@/lib/contract/problem'

const formType = 'application/x-www-form-urlencoded'

function fieldSchema(field: Field): JsonSchema {
  if (field.kind === 'flag') return { type: 'integer', enum: [0, 1] }
  if (field.kind === 'list') return { type: 'array', items: { type: 'string' } }
  return field.kind === 'secret' ? { type: 'string', format: 'password' } : { type: 'string' }
}

/** In forms a list's name carries brackets; in JSON it would not, and both are taken. */
const formName = (name: string, field: Field): string => (field.kind === 'list' ? `${name}[]` : name)

function bodySchema(operation: Operation): JsonSchema {
  const fields = Object.entries(operation.fields)
  return {
    title: operation.id,
    description: operation.says,
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [formName(name, field), fieldSchema(field)])),
    required: fields.filter(([, field]) => !field.extension).map(([name, field]) => formName(name, field)),
  }
}

function answerContent(operation: Operation): JsonSchema {
  if (operation.stream) return { 'text/event-stream': { schema: { type: 'string' } } }
  const { properties, required } = toJsonSchema(operation.answer)
  const names: unknown[] = Array.isArray(required) ? required : []
  const members = isJsonObject(properties) ? properties : {}
  const schema = { type: 'object', properties: { success: { const: true }, ...members }, required: ['success', ...names] }
  return { 'application/json': { schema } }
}

/** Operations that share method and path are one entry here, with a choice of bodies. */
function pathItem(sharing: readonly [Operation, ...Operation[]]): JsonSchema {
  const [first] = sharing
  const parameters = [...first.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const bodies = sharing.map(bodySchema)
  return {
    operationId: sharing.map((operation) => operation.id).join('_or_'),
    summary: sharing.map((operation) => operation.says).join(' Or: '),
    tags: [...new Set(sharing.map((operation) => operation.subject))],
    ...(parameters.length > 0 && { parameters }),
    ...(first.method === 'POST' && {
      requestBody: { required: true, content: { [formType]: { schema: bodies.length === 1 ? bodies[0] : { oneOf: bodies } } } },
    }),
    responses: {
      200: { description: 'Done.', content: answerContent(first) },
      default: { $ref: '#/components/responses/Failure' },
    },
  }
}

function collectPaths(): Record<string, JsonSchema> {
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

const codes: readonly ProblemCode[] = [...serviceCodes]

const failure = {
  type: 'object',
  properties: {
    success: { const: false },
    error: { type: 'string', description: 'A sentence for a person.' },
    code: { enum: codes, description: codes.map((code) => `${code} (${problemKinds[code].status})`).join(', ') },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    host_key: { type: 'string' },
  },
  required: ['success', 'error', 'code'],
}

/** The document served at /openapi.json. */
export function renderOpenApi(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: { title: 'Server and site management', version: '1', description: 'Every request carries `Authorization: Bearer KEY`.' },
    security: [{ key: [] }],
    paths: collectPaths(),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      responses: { Failure: { description: 'Not done, or not known.', content: { 'application/json': { schema: failure } } } },
    },
  }
}
