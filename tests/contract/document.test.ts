import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderOperationsPage } from '@/lib/contract/document'
import { interfaceOperations as operations } from '@/lib/contract/index'
import { renderOpenApi } from '@/lib/contract/openapi'
import { builtOperationIds } from '@/lib/service/routes/built'
import { law } from './law'

test('docs/operations.md is fresh: write it with npm run docs', () => {
  expect(readFileSync('docs/operations.md', 'utf8')).toBe(renderOperationsPage(builtOperationIds))
})

test('the page has every operation and says which are there', () => {
  const page = renderOperationsPage(new Set(['cron.save']))
  for (const { id, method, path } of operations) {
    expect(page).toContain(`| \`${id}\`<br>`)
    expect(page).toContain(`| \`${method} ${path}\` |`)
  }
  expect(page.match(/\| yes \|/g)).toHaveLength(1)
  expect(page.match(/\| not yet \|/g)).toHaveLength(47)
})

test('the OpenAPI document is plain JSON and has every path, method and field of the interface', () => {
  const document = renderOpenApi()
  const text = JSON.stringify(document)
  expect(JSON.parse(text)).toEqual(document)
  expect(document.openapi).toBe('3.1.0')
  for (const [id, method, path, fields] of law) {
    const item = (document.paths as Record<string, Record<string, unknown>>)[path]?.[method.toLowerCase()]
    expect(JSON.stringify(item), id).toContain(id)
    for (const field of fields) expect(JSON.stringify(item), `${id} ${field}`).toMatch(new RegExp(`"${field}(\\[\\])?"`))
  }
})
