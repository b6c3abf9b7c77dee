/** Converts answer schemas to JSON Schema. */
import * as z from 'zod'
import { isJsonObject } from '@/lib/contract/json'
import { type AnswerFilter, answerFilters, marks } from '@/lib/contract/members'

export type JsonSchema = Record<string, unknown>

/** The members of an answer as the bundled service sends it. x-names: the server, site or connection that a member names, as `server.id`. */
export function toJsonSchema(answer: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, { io: 'output', metadata: marks, override: openTuple })
  return schema
}

/** An array of exactly one, in keywords that every validator knows: many ignore prefixItems or misread it. */
function openTuple({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { prefixItems } = jsonSchema
  if (!Array.isArray(prefixItems)) return
  delete jsonSchema.prefixItems
  Object.assign(jsonSchema, { items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length })
}

/** One member of an answer, with the members of the object, or list of objects, in it. names: such as `server.id`, else null. */
export type MemberOutline = { name: string; optional: boolean; names: string | null; members: MemberOutline[] }

function outline(schema: unknown): MemberOutline[] {
  if (!isJsonObject(schema)) return []
  if (schema.items) return outline(schema.items)
  const needed: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties.map(([name, member]) => ({
    name,
    optional: !needed.includes(name),
    names: isJsonObject(member) && typeof member['x-names'] === 'string' ? member['x-names'] : null,
    members: outline(member),
  }))
}

/** The members of an answer, in order; optional ones are extensions. */
export function outlineOf(answer: z.ZodObject): MemberOutline[] {
  return outline(toJsonSchema(answer))
}

/** The path of each member that names a server, site or connection, and what it names. */
export function markedMembers(answer: z.ZodObject): { path: string; names: string }[] {
  const walk = (members: readonly MemberOutline[], above: string): { path: string; names: string }[] =>
    members.flatMap(({ name, names, members: inner }) => {
      const path = `${above}${name}`
      return [...(names === null ? [] : [{ path, names }]), ...walk(inner, `${path}.`)]
    })
  return walk(outlineOf(answer), '')
}

/** An id in an answer with its filter: the path of the member, and whether it means a server or a site. */
export type FilteredId = { path: readonly string[]; kind: 'server' | 'site'; filter: AnswerFilter }

/** The ids in an answer, in order. An id without a filter cannot be declared. */
export function filteredIds(answer: z.ZodObject): FilteredId[] {
  const filters = new Map(pathsWith(z.toJSONSchema(answer, { io: 'output', metadata: answerFilters, override: openTuple }), 'x-filter'))
  return markedMembers(answer).flatMap(({ path, names }): FilteredId[] => {
    const filter = filters.get(path)
    if (!isFilter(filter) || (names !== 'server.id' && names !== 'site.id')) return []
    return [{ path: path.split('.'), kind: names === 'server.id' ? 'server' : 'site', filter }]
  })
}

const isFilter = (value: unknown): value is AnswerFilter => value === 'item' || value === 'member' || value === 'target'

/** The paths of members with a keyword, each with its value; items of a list are not named in a path. */
function pathsWith(schema: unknown, keyword: string, above = ''): [string, unknown][] {
  if (!isJsonObject(schema)) return []
  if (schema.items) return pathsWith(schema.items, keyword, above)
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties.flatMap(([name, member]): [string, unknown][] => [
    ...(isJsonObject(member) && keyword in member ? [[`${above}${name}`, member[keyword]] as [string, unknown]] : []),
    ...pathsWith(member, keyword, `${above}${name}.`),
  ])
}
