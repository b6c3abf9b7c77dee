/** What a request sends in confidence. A service may repeat the password that it refuses, and the reasons of services are shown. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { EncodedRequest } from '@/lib/contract/request'

// A shorter one is part of many words, and would be found by what is missing.
const leastLength = 4

/** The values of the secret fields, and their lines, as services may write them: the longest first. */
export function secretsOf({ fields }: Operation, { body }: EncodedRequest): string[] {
  const form = new URLSearchParams(body)
  const values = Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'secret' ? form.getAll(name) : []))
  const texts = values.flatMap((value) => [value, ...value.split(/\r\n|\r|\n/)]).flatMap((text) => [text, text.trim()])
  const spelled = new Set(texts.filter((text) => text.length >= leastLength).flatMap(spell))
  return [...spelled].sort((one, other) => other.length - one.length)
}

function spell(text: string): string[] {
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  return [text, JSON.stringify(text).slice(1, -1), html, html.replaceAll("'", '&#039;'), encodeURIComponent(text), form]
}
