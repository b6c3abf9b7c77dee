/** The shape of a response, written as JSON with types in place of values. */
import { isJsonObject } from '@/lib/contract/json'
import { toJsonSchema } from '@/lib/contract/json-schema'
import type { Operation } from '@/lib/contract/operation'

const streamShape = `id: 12
data: {"id": 12, "step": string, "message": string, "progress": 0…100, "status": "running" | "done" | "failed", "error"?: string}
(an empty line)`

/** A name with a question mark is an extension, or is omitted if it has no value. */
export function shapeOf(operation: Operation): string {
  if (operation.stream) return streamShape
  const schema = toJsonSchema(operation.answer)
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const needed = Array.isArray(schema.required) ? schema.required : []
  return write({ type: 'object', properties: { success: { const: true }, ...properties }, required: ['success', ...needed] }, '')
}

function write(schema: unknown, indent: string): string {
  if (!isJsonObject(schema)) return 'anything'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((choice) => write(choice, indent)).join(' | ')
  if (Array.isArray(schema.prefixItems)) return `[${write(schema.prefixItems[0], indent)}]`
  if (schema.type === 'array') return `[${write(schema.items, indent)}, …]`
  return schema.type === 'object' ? writeObject(schema, indent) : String(schema.type ?? 'anything')
}

function writeObject(schema: Record<string, unknown>, indent: string): string {
  const needed: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const members = Object.entries(isJsonObject(schema.properties) ? schema.properties : {})
  const inner = `${indent}  `
  const lines = members.map(([name, member]) => `${inner}"${name}"${needed.includes(name) ? '' : '?'}: ${write(member, inner)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
}
