/** The interface as a page for readers, served at /docs. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { interfaceOperations as operations } from '@/lib/contract'
import { serviceCodes } from '@/lib/contract/problem'
import { exampleOf } from '@/lib/service/api-page/example'
import { html } from '@/lib/service/api-page/html'
import { renderApiPage } from '@/lib/service/api-page/page'
import { openTestService } from './support/service'

const { body, policy } = renderApiPage('http://127.0.0.1:4000')

const readEntities = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The article of an operation as text: without tags, with entities decoded. */
const articleOf = (id: string) =>
  readEntities((body.split(`<article id="${id}"`)[1] ?? '').split('</article>')[0]?.replace(/<[^>]*>/g, '') ?? '')

test('all 48 operations are on the page with path, fields, answer and example', () => {
  expect(operations).toHaveLength(48)
  for (const operation of operations) {
    const text = articleOf(operation.id)
    expect(text).toContain(`${operation.method} ${operation.path}`)
    expect(text).toContain(operation.description)
    for (const [name, field] of Object.entries(operation.fields)) expect(text).toContain(field.kind === 'list' ? `${name}[]` : name)
    for (const name of Object.keys(operation.answer.shape)) expect(text).toContain(`"${name}"`)
    expect(text).toContain(exampleOf(operation))
    expect(body).toContain(`<a href="#${operation.id}">`)
  }
  for (const code of serviceCodes) expect(body).toContain(`<code>${code}</code>`)
})

/** The names of void elements. */
const single = new Set(['meta'])

test('the page is well-formed: elements nest, ids are unique, links have targets, special characters are escaped', () => {
  const open: string[] = []
  const markup = body.replace(/<style>[\s\S]*<\/style>/, '')
  for (const [, slash, name = '', attributes = ''] of markup.replace('<!doctype html>', '').matchAll(/<(\/?)([a-z0-9]+)([^<>]*)>/g)) {
    expect(attributes).toMatch(/^( [a-z-]+="[^"<>]*")*$/)
    if (slash === '/') expect(open.pop()).toBe(name)
    else if (!single.has(name)) open.push(name)
  }
  expect(open).toEqual([])
  expect(markup.replace(/<!?[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/)
  const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of markup.matchAll(/ href="#([^"]*)"/g)) expect(ids).toContain(target)
  for (const [, label] of markup.matchAll(/ aria-labelledby="([^"]*)"/g)) expect(ids).toContain(label)
})

test('text from outside never becomes markup or a command', () => {
  const hostile = `<script>alert("1")</script> & 'x'`
  expect(html`<p title="${hostile}">${[hostile]}</p>`.markup).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
  )
  expect(renderApiPage(`http://$(shutdown)';x`).body).not.toContain('shutdown')
})

test('the page runs no script, and its policy allows only its own style', () => {
  expect(body).not.toMatch(/<script|<link|<img|<iframe|<form|javascript:| on[a-z]+=| style=/i)
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`)
})

test('the page needs no API key, and the answer to other methods names the allowed ones', async () => {
  await using service = await openTestService()
  const page = await fetch(`${service.baseUrl}/docs`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toBe(policy)
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await page.text()).toContain(`URL=${service.baseUrl}`)
  const put = await fetch(`${service.baseUrl}/docs`, { method: 'PUT' })
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

const exampleFor = (id: string): string => {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`There is no operation ${id}.`)
  return exampleOf(found)
}

test('the examples work as they are, and have no secret on a command line', async () => {
  await using service = await openTestService()
  const secrets = { KEY: service.key, PASS: 'let me in & more' }
  // Prints curl's arguments before it runs.
  const tell = `set -euo pipefail; curl() { printf '%s\\n' "$@" >&2; command curl --silent "$@"; }`
  const run = async (script: string, ids: Record<string, string> = {}) => {
    const env = { ...process.env, ...secrets, URL: service.baseUrl, ...ids }
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', `${tell}\n${script}`], { env })
    expect(stderr).toContain('--config')
    for (const secret of Object.values(secrets)) expect(stderr).not.toContain(secret)
    return stdout
  }
  expect(JSON.parse(await run(exampleFor('servers.list')))).toEqual({ success: true, items: [] })
  // The address in the example is reserved; a simulated server may have it.
  const created = JSON.parse(await run(exampleFor('servers.create').replace('provider=ssh', 'provider=sandbox')))
  expect(created).toMatchObject({ success: true, items: [{ id: expect.any(String) }] })
  const ids = { SERVER_ID: String(created.items[0].id) }
  expect(JSON.parse(await run(exampleFor('servers.update'), ids))).toEqual({ success: true })
  expect(await run(exampleFor('servers.install'), ids)).toContain('"status":"done"')
  expect(JSON.parse(await run(exampleFor('servers.delete'), ids))).toMatchObject({ success: true })
})
