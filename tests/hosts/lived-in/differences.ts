/** The differences between two snapshots of a host, one line each; none for equal hosts. */
import type { Photograph } from './photograph'

/** Files that each install or removal of Debian packages writes and no package lists: caches, and the links that enable a package. */
const writtenByPackages = [
  /^\/etc\/(ld\.so\.cache|\.pwd\.lock|mailcap|(passwd|group|shadow|gshadow|subuid|subgid|shells)-?)$/,
  /^\/etc\/rc[0-6S]\.d\//,
  /^\/etc\/alternatives\//,
  /^\/etc\/systemd\/(system|user)\/([^/]+\.wants(\/|$)|[^/]+\.service$)/,
  /^\/etc\/(ssl\/certs|ca-certificates|fonts|python3)(\/|$)/,
  /^\/etc\/(inputrc|ssl\/private)$/,
  /^\/usr\/local\/(share\/fonts|lib\/python[0-9.]+(\/dist-packages)?)$/,
]

/** Ours while the server is in Gatehouse; the admission tests check the key in authorized_keys and its sudo rule. */
export const whileRegistered = [
  /^\/etc\/gatehouse(\/|$)/,
  /^\/etc\/sudoers\.d\/gatehouse$/,
  /^\/(root|home\/[^/]+)\/\.ssh\/authorized_keys$/,
]

export type Allowed = {
  /** Gatehouse's own files, besides those that its manifest lists. */
  ours: readonly RegExp[]
  /** Settings folders of the parts that the install sets up on this host because they did not exist. */
  newParts: readonly RegExp[]
}

export function differences(before: Photograph, after: Photograph, { ours, newParts }: Allowed): string[] {
  const is = (patterns: readonly RegExp[]) => (path: string) => patterns.some((pattern) => pattern.test(path))
  const settled = is([...writtenByPackages, ...ours])
  const expected = is(newParts)
  const added = (path: string) => !settled(path) && !expected(path) && !after.packaged.has(path) && !after.listed.has(path)
  return [
    ...compareFiles(before, after, settled, added),
    ...[...before.registries].flatMap(([path, lines]) => missing(path, lines, after.registries.get(path) ?? [])),
    ...compareLines('rules', before.rules, after.rules),
    ...(before.databases.length === 0 ? [] : compareLines('databases', before.databases, after.databases)),
    ...missing('unit', before.units, after.units),
    ...after.failed.map((unit) => `failed unit: ${unit}`),
    ...compareLines('kernel', before.kernel, after.kernel),
    ...compareLines('answer', before.answers, after.answers),
  ]
}

function compareFiles(
  before: Photograph,
  after: Photograph,
  settled: (path: string) => boolean,
  isAddition: (path: string) => boolean,
): string[] {
  const changed = [...before.files].flatMap(([path, was]) => {
    const is = after.files.get(path)
    if (is === was || settled(path)) return []
    return [is === undefined ? `gone: ${path}` : `changed: ${path}: ${was} → ${is}`]
  })
  const added = [...after.files.keys()].filter((path) => !before.files.has(path) && isAddition(path))
  return [...changed, ...added.map((path) => `added: ${path}`)]
}

const missing = (what: string, before: readonly string[], after: readonly string[]): string[] =>
  before.filter((line) => !after.includes(line)).map((line) => `${what}: no longer: ${line}`)

const compareLines = (what: string, before: readonly string[], after: readonly string[]): string[] => [
  ...missing(what, before, after),
  ...after.filter((line) => !before.includes(line)).map((line) => `${what}: new: ${line}`),
]
