/** Cleans a failure's text: short and plain, without anything that could be markup, control characters or a secret. */
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

/**
 * Another service's own words, if they are a short plain sentence. Text with markup, control characters or a word
 * long enough to be a key is dropped completely.
 */
export function plainSentence(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 200 || cleanSentence(value) !== value.trim()) return undefined
  const suspicious = /[<>{}`]|bearer|authorization/i.test(value) || /\S{33,}/.test(value)
  const isSentence = /\p{L}\S* \S/u.test(value)
  return isSentence && !suspicious ? value.trim() : undefined
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

const maxWaitSeconds = 3600

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
