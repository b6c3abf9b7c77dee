/** /etc/hosts: the one line that resolves the server's own name. */

/** The address that Debian maps a server's own name to if it has no static one. */
const own = '127.0.1.1'

const shortOf = (name: string): string => name.split('.', 1)[0] ?? name

const namesOf = (name: string): string[] => [...new Set([name, shortOf(name)])]

/** Address and names of a line, without its comment. */
const wordsOf = (line: string): string[] => line.replace(/#.*$/s, '').trim().split(/\s+/)

/**
 * The text with exactly one line for the server's own name: in place of the first such line, else after 127.0.0.1. Keeps other names on
 * such lines but drops the former hostname; every other line stays unchanged byte for byte.
 */
export function nameInHosts(text: string, former: string, name: string): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const ours = (line: string) => wordsOf(line)[0] === own
  const known = new Set([...namesOf(former), ...namesOf(name)])
  const kept = lines.filter(ours).flatMap((line) => wordsOf(line).slice(1))
  const managed = [`${own}\t${namesOf(name).join(' ')}`, ...new Set(kept.filter((other) => !known.has(other)))].join(' ')
  const first = lines.findIndex(ours)
  const place = first >= 0 ? first : lines.findLastIndex((line) => wordsOf(line)[0] === '127.0.0.1') + 1
  const before = lines.slice(0, place)
  const after = lines.slice(place).filter((line) => !ours(line))
  return `${[...before, managed, ...after].join('\n')}\n`
}
