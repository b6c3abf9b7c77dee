/** Cleans a failure's text: cut to one short line, without control characters and what may be a key. */
import { isJsonObject } from '@/lib/contract/json'

/** Control and format characters (including direction marks), line separators, lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu

const sentenceLimit = 500

/** A sentence sent together with a code of the interface: limited, without control and direction characters. */
export function cleanSentence(value: unknown, limit = sentenceLimit): string | undefined {
  if (typeof value !== 'string') return undefined
  const bounded = value
    .slice(0, limit * 4)
    .replace(unprintable, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, limit)
  const clean = bounded.replace(/\p{Cs}$/u, '')
  return clean === '' ? undefined : clean
}

/** A text without those to hide. */
export const withoutText = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)

/** The same for all texts in a value. Before anything is cut: a part of a password may be as good as the whole. */
export function withoutTexts(value: unknown, hidden: readonly string[]): unknown {
  if (hidden.length === 0) return value
  if (typeof value === 'string') return withoutText(value, hidden)
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one, hidden))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member, hidden)]))
}

const reasonLimit = 300

/** A word with a digit after "Bearer", and anything long enough to be a key. */
const keyLike = /(?<=\bbearer )(?=\S*\d)\S+|[\w+=-]{33,}/gi

/** The texts in a member that may be a text, an object with one, or several of either. */
export function readTexts(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 3 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.slice(0, 8).flatMap((one) => readTexts(one, depth + 1))
  const said = ['message', 'detail', 'error'].map((name) => readTexts(Reflect.get(value, name), depth + 1))
  return said.find((texts) => texts.length > 0) ?? []
}

/** A text of another service, cut to one line and without what may be a key. Isolated: no direction of its letters reorders the text around it. */
function quote(texts: readonly string[]): string | undefined {
  const line = cleanSentence(texts.join(' '), reasonLimit * 4)?.replace(keyLike, '…')
  const cut = cleanSentence(line, reasonLimit)?.trimEnd()
  return cut && `\u2068${cut}\u2069`
}

/**
 * Why another service failed, in its own words, wherever it puts them. A sentence is preferred to a single word, such as `error` beside
 * `message`. It is text, whatever it looks like: never markup.
 */
export function findReason(body: Readonly<Record<string, unknown>>): string | undefined {
  const { error, message, errors, detail } = body
  const found = [error, message, isJsonObject(errors) ? Object.values(errors) : errors, detail].flatMap(
    (member) => quote(readTexts(member)) ?? [],
  )
  return found.find((reason) => reason.includes(' ')) ?? found[0]
}

/** Reasons for single fields, at most 64 of them. */
export function cleanFields(value: unknown): Record<string, string> | undefined {
  if (!isJsonObject(value)) return undefined
  const clean = Object.entries(value)
    .slice(0, 64)
    .flatMap(([name, reason]): [string, string][] => {
      const sentence = cleanSentence(reason, 300)
      return /^\w{1,64}$/.test(name) && sentence !== undefined ? [[name, sentence]] : []
    })
  return clean.length === 0 ? undefined : Object.fromEntries(clean)
}

/** A fingerprint as OpenSSH writes it. */
export function cleanHostKey(value: unknown): string | undefined {
  return typeof value === 'string' && /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(value) ? value : undefined
}

/** A sentence of ours with a service's own words after it. */
export const withReason = (sentence: string, reason: string | undefined): string =>
  reason === undefined ? sentence : `${sentence.replace(/\.$/, ':')} ${reason}`

/** The sentence before a reason was added. */
export const withoutReason = (sentence: string): string => sentence.replace(/: \u2068.*$/s, '.')

const maxWaitSeconds = 3600

/** How long a service asks to wait, from what parseRetryAfter read. */
export function formatWait(seconds: number): string {
  if (seconds >= maxWaitSeconds) return '1 hour or more'
  const [count, unit] = seconds < 120 && seconds !== 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * The Retry-After header: seconds or a date.
 * @param nowMs milliseconds since 1970
 * @returns whole seconds from 1 to 3600; undefined if the header is unusable
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? ''
  const seconds = /^\d{1,20}$/.test(text) ? Number(text) : /^[A-Z]/.test(text) ? Math.ceil((Date.parse(text) - nowMs) / 1000) : Number.NaN
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), maxWaitSeconds)
}
