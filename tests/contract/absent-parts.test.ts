/** Parts of an answer that a service leaves out, or sends as null or as an empty array: the rest is read. */
import { expect, test } from 'vitest'
import { decodeAnswer } from '@/lib/contract/answer'
import { contract } from '@/lib/contract/index'
import type { OperationDefinition } from '@/lib/contract/operation'

const reads = {
  'sites.summary': [contract.sites.summary, { disk_usage: '', dns: { A: '', MX: '' }, server: { name: '', ip: '', dns: '' } }],
  'aliases.list': [contract.aliases.list, { aliases: [], server: { name: '', ip: '', dns: '' } }],
  'email.get': [contract.email.get, { email: true, emails: [], server: { hostname: '', dns: '' } }],
  'database.get': [contract.database.get, { db_name: '', server: { ip: '' } }],
} as const satisfies Record<string, readonly [OperationDefinition, object]>

const read = (operation: OperationDefinition, item: object) =>
  decodeAnswer(operation, { status: 200, contentType: 'application/json', body: JSON.stringify({ success: true, item: [item] }) })

const named = Object.entries(reads)
/** What an answer has to have. */
const required = { domain: 'first.example', email: true, aliases: [], emails: [] }

test.each(named)('%s: a server that is null, absent or an empty array is one of which nothing is known', (_, [operation, known]) => {
  const of = (more: object) => read(operation, { ...required, ...more })
  const expected = { ok: true, data: { item: [{ domain: 'first.example', ...known }] } }
  for (const absent of [{}, { server: null }, { server: [] }, { server: {} }]) expect(of(absent)).toMatchObject(expected)
})

test.each(named)('%s: a server of another kind is not read', (_, [operation]) => {
  for (const server of ['web-1', 7, ['web-1']]) expect(read(operation, { ...required, server })).toMatchObject({ ok: false })
})
