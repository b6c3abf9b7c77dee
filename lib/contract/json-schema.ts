/** Answer schemas in the words of JSON Schema. */
import * as z from 'zod'
import { isJsonObject } from '@/lib/contract/json'

export type JsonSchema = Record<string, unknown>

/** The members of an answer as a service of our own kind sends it. */
export function toJsonSchema(answer: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, { io: 'output' })
  return schema
}

/** One member of an answer, with those of the object, or the list of objects, it holds. */
export type MemberOutline = { name: string; optional: boolean; members: MemberOutline[] }

function outline(schema: unknown): MemberOutline[] {
  if (!isJsonObject(schema)) return []
  if (Array.isArray(schema.prefixItems)) return outline(schema.prefixItems[0])
  if (schema.items) return outline(schema.items)
  const needed: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties.map(([name, member]) => ({ name, optional: !needed.includes(name), members: outline(member) }))
}

/** The members of an answer, in order; optional ones are extensions. */
export function outlineOf(answer: z.ZodObject): MemberOutline[] {
  return outline(toJsonSchema(answer))
}
