import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderOperationsPage } from '@/lib/contract/document'
import { interfaceOperations, operations } from '@/lib/contract/index'
import { isJsonObject } from '@/lib/contract/json'
import { renderOpenApi } from '@/lib/contract/openapi'
import { law } from './law'

test('docs/operations.md is fresh: write it with npm run docs', () => {
  expect(readFileSync('docs/operations.md', 'utf8')).toBe(renderOperationsPage())
})

test('the page has every operation', () => {
  const page = renderOperationsPage()
  for (const { id, method, path } of interfaceOperations) {
    expect(page).toContain(`| \`${id}\`<br>`)
    expect(page).toContain(`| \`${method} ${path}\` |`)
  }
})

const origin = 'https://service.example.org'

type Schema = Record<string, unknown>

/** Each object below a value, with the value itself. */
function* objectsIn(value: unknown): Generator<Schema> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item)
  if (!isJsonObject(value)) return
  yield value
  for (const member of Object.values(value)) yield* objectsIn(member)
}

const callsOf = (document: Schema) =>
  Object.entries(document.paths as Record<string, Record<string, Schema>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, call]) => ({ path, method, call })),
  )

test('the document names this server, and no list is a tuple, which some programs take for an open list', () => {
  const document = renderOpenApi(origin)
  expect(document.servers).toEqual([{ url: origin, description: expect.any(String) }])
  const objects = [...objectsIn(document)]
  expect(objects.filter(({ prefixItems }) => prefixItems !== undefined)).toEqual([])
  const [, list] = Object.entries(document.paths as Record<string, Schema>).find(([path]) => path === '/sites/{site_id}/summary') ?? []
  expect([...objectsIn(list)]).toContainEqual(
    expect.objectContaining({ type: 'array', items: expect.anything(), minItems: 1, maxItems: 1 }),
  )
  for (const { type, items } of objects.filter(({ type }) => type === 'array')) expect([type, items]).toEqual([type, expect.anything()])
})

test('each POST with fields is described as a form, as multipart and as JSON, where lists have no brackets and flags are booleans', () => {
  for (const { path, method, call } of callsOf(renderOpenApi(origin)).filter(({ method }) => method === 'post')) {
    const { content } = (call.requestBody ?? { content: {} }) as { content: Record<string, { schema: Schema }> }
    const fields = operations.filter((each) => each.path === path && each.method === 'POST').flatMap(({ fields }) => Object.keys(fields))
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']
    expect([path, method, Object.keys(content)]).toEqual([path, method, fields.length === 0 ? [] : types])
  }
  const push = (document: Schema, type: string) => {
    const { requestBody } = (document.paths as Record<string, Record<string, Schema>>)['/sites/{site_id}/apps/push']?.post ?? {}
    return (requestBody as { content: Record<string, { schema: Schema }> }).content[type]?.schema
  }
  const document = renderOpenApi(origin)
  const strings = { type: 'array', items: { type: 'string' } }
  expect(push(document, 'application/json')).toMatchObject({
    properties: { files: { type: 'boolean' }, database: { type: 'boolean' }, tables: strings },
    required: ['files', 'database'],
  })
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
    expect(push(document, type)).toMatchObject({
      properties: { files: { type: 'integer', enum: [0, 1] }, 'tables[]': strings },
      required: ['files', 'database'],
    })
})

test('every call has a tag that the document describes, a description, an id, and answers for each way it may end', () => {
  const document = renderOpenApi(origin)
  const tags = (document.tags as { name: string; description: string }[]).map(({ name }) => name)
  const ids = new Set<string>()
  for (const { path, method, call } of callsOf(document)) {
    const where = `${method} ${path}`
    expect([where, call.operationId]).toEqual([where, expect.stringMatching(/^[\w.]+$/)])
    expect([where, tags]).toEqual([where, expect.arrayContaining(call.tags as string[])])
    expect([where, call.description]).toEqual([where, expect.stringMatching(/.{10}/)])
    expect(Object.keys(call.responses as Schema)).toEqual(expect.arrayContaining(['200', '4XX', '5XX']))
    ids.add(String(call.operationId))
  }
  expect(ids.size).toBe(callsOf(document).length)
})

test('the OpenAPI document is plain JSON and has every path, method and field of the interface', () => {
  const document = renderOpenApi(origin)
  const text = JSON.stringify(document)
  expect(JSON.parse(text)).toEqual(document)
  expect(document.openapi).toBe('3.1.0')
  for (const [id, method, path, fields] of law) {
    const item = (document.paths as Record<string, Record<string, unknown>>)[path]?.[method.toLowerCase()]
    expect(JSON.stringify(item), id).toContain(id)
    for (const field of fields) expect(JSON.stringify(item), `${id} ${field}`).toMatch(new RegExp(`"${field}(\\[\\])?"`))
  }
})
