/** Operations beyond the interface: a closed list, told apart everywhere, with no place among the 48. */
import { expect, test } from 'vitest'
import { renderOperationsPage } from '@/lib/contract/document'
import { contract, extensionOperations, interfaceOperations, operations } from '@/lib/contract/index'
import { done } from '@/lib/contract/members'
import { renderOpenApi } from '@/lib/contract/openapi'
import { operation, subject } from '@/lib/contract/operation'
import { extensionRefusal } from '@/lib/contract/policy'

const origin = 'http://127.0.0.1:4000'

/** One that there is not: the mechanism has to stand before anything uses it. */
const { polish } = subject('servers', {
  polish: operation({
    method: 'POST',
    path: '/servers/{server_id}/polish',
    fields: {},
    answer: done,
    effect: 'change',
    confirm: 'name',
    pace: 'quick',
    description: 'Polish a server.',
    extension: true,
  }),
})

test('the interface has 48 operations, whatever extends it', () => {
  expect(interfaceOperations).toHaveLength(48)
  expect(operations).toHaveLength(48 + extensionOperations.length)
})

test('an extension may not share an address with an operation of the interface: another service would run that one', () => {
  const addresses = new Set(interfaceOperations.map(({ method, path }) => `${method} ${path}`))
  for (const { id, method, path } of extensionOperations) expect([id, addresses.has(`${method} ${path}`)]).toEqual([id, false])
})

test('an extension is refused to a service that announces none, in a sentence', () => {
  expect(extensionRefusal(polish, {})).toMatch(/does not offer this/)
  expect(extensionRefusal(contract.servers.setHostname, {})).toBeNull()
})

test('the page lists extensions apart from the 48', () => {
  const page = renderOperationsPage([...interfaceOperations, polish])
  const [interfacePart, extensionPart = ''] = page.split('## Extension operations')
  expect(interfacePart).not.toContain('polish')
  expect(extensionPart).toContain(
    '| `servers.polish`<br>Polish a server. | `POST /servers/{server_id}/polish` | – | – | change | typed name | quick |',
  )
  expect(interfacePart?.match(/\| `\w+\.\w+`<br>/g)).toHaveLength(48)
})

test('the OpenAPI document marks it, and says what to ask of a person first', () => {
  const { paths } = renderOpenApi(origin, [...interfaceOperations, polish]) as { paths: Record<string, Record<string, object>> }
  expect(paths['/servers/{server_id}/polish']?.post).toMatchObject({
    operationId: 'servers.polish',
    'x-extension': true,
    'x-effect': 'change',
    'x-confirm': 'name',
  })
  expect(JSON.stringify(renderOpenApi(origin, interfaceOperations))).not.toContain('"x-effect":"change","x-extension"')
})

test('the OpenAPI document has the limits of fields and the marks of members', () => {
  const document = JSON.stringify(renderOpenApi(origin))
  for (const part of [
    '"maxLength":32',
    '"x-minimum":1',
    '"x-maximum":65535',
    '"enum":["allow","deny","reject","limit"]',
    '"x-names":"server.id"',
  ])
    expect(document).toContain(part)
})
