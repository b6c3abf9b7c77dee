/** Rules for new passwords: long enough and not easy to guess. No composition rules. */
import 'server-only'
import { commonWords, keyboardRows } from './common-passwords'

const passwordLength = { min: 12, max: 128 }

const leet: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }

/**
 * Why the password is refused, as a sentence, or null. Lengths count characters, not bytes. `about`: texts that an attacker knows, such as
 * the user's name and address, and the team's name.
 */
export function refusePassword(password: string, about: readonly string[] = []): string | null {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < passwordLength.min) return `Use at least ${passwordLength.min} characters.`
  if (length > passwordLength.max) return `Use at most ${passwordLength.max} characters.`
  const lower = normal.toLowerCase()
  if (new Set(lower).size < 5) return 'Use at least five different characters.'
  if (isWalk(lower)) return 'This password follows the keyboard layout. Choose another one.'
  const words = new Set([...commonWords, ...about.flatMap(wordsOf)])
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const readings = [lower, unleet(lower), unleet(core)]
  if (readings.some((reading) => isMadeOf(reading.replace(/[^\p{L}]/gu, ''), words))) {
    return 'This password is too common. Choose another one.'
  }
  return null
}

const unleet = (text: string): string => [...text].map((sign) => leet[sign] ?? sign).join('')

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2)

/** True if the text consists of at most five of the words. Digits and symbols alone count as made of words. */
function isMadeOf(text: string, words: ReadonlySet<string>, maxWords = 5): boolean {
  if (text === '') return true
  if (maxWords === 0) return false
  for (let end = 1; end <= text.length; end += 1) {
    if (words.has(text.slice(0, end)) && isMadeOf(text.slice(end), words, maxWords - 1)) return true
  }
  return false
}

/** True if the text consists of at most three pieces of keyboard rows, forwards or backwards. */
function isWalk(text: string): boolean {
  let rest = text
  for (let pieces = 0; pieces < 3 && rest !== ''; pieces += 1) rest = rest.slice(findLongestStep(rest))
  return rest === ''
}

function findLongestStep(text: string): number {
  const rows = keyboardRows.flatMap((row) => [row + row, [...(row + row)].reverse().join('')])
  let length = 1
  while (length < text.length && rows.some((row) => row.includes(text.slice(0, length + 1)))) length += 1
  return length
}
