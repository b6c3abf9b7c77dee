/** Keeps what was sent in confidence out of a service's own words: it may repeat the password that it refuses. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Problem } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'

// A shorter one is part of many words, and would be found by what is missing.
const leastLength = 4

/** The problem without the values of the request's secret fields. */
export function withoutSecrets(operation: Operation, request: EncodedRequest, why: Problem): Problem {
  const form = new URLSearchParams(request.body)
  const secrets = Object.entries(operation.fields).flatMap(([name, { kind }]) => (kind === 'secret' ? form.getAll(name) : []))
  const hidden = secrets.filter((secret) => secret.length >= leastLength)
  const clean = (text: string) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  const fields = why.fields && Object.fromEntries(Object.entries(why.fields).map(([name, reason]) => [name, clean(reason)]))
  return { ...why, sentence: clean(why.sentence), ...(fields && { fields }) }
}
