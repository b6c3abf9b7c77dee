/** Parses lines of a name, a tab and a value, the output format of the bash scripts. */
import { cleanText } from '@/lib/service/clean-text'

/** The first line of each name counts. Servers are not trusted: drops control characters and cuts values at 400 characters. */
export function parsePairs(text: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t')
    const name = line.slice(0, Math.max(tab, 0))
    if (tab > 0 && !pairs.has(name)) pairs.set(name, cleanText(line.slice(tab + 1)))
  }
  return pairs
}
