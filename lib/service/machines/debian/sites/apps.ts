/** Which app a site on a real server has, and which versions the server's packages have. */
import type { CatalogueEntry } from '@/lib/service/machines/apps/entry'
import { recognise } from '@/lib/service/machines/apps/found'
import type { AppFacts, SiteOnHost } from '@/lib/service/machines/sites'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { requireThere } from './names'

const script = readScript('sites/app-facts.bash')

export async function readApp(
  connections: Connections,
  host: HostAddress,
  site: SiteOnHost,
  catalogue: readonly CatalogueEntry[],
): Promise<AppFacts> {
  const asked = catalogue.flatMap(({ app, found, source }) => [app, found.file, found.beside, 'package' in source ? source.package : ''])
  const result = requireThere(await connections.read(host, { script, values: [site.id, site.name, ...asked] }))
  return parseAppFacts(requireDone(result, 'report on the app of the site').stdout, catalogue)
}

/** Never throws: what is not understood is not known. */
export function parseAppFacts(printed: string, catalogue: readonly CatalogueEntry[]): AppFacts {
  const lines = printed.split('\n').map((line) => line.split('\t'))
  const found = lines.flatMap(([kind, app, file = '', beside = '']) => {
    const entry = kind === 'text' ? catalogue.find((each) => each.app === app) : undefined
    const known = entry && recognise(entry, decode(file), decode(beside))
    return known ? [known] : []
  })
  const packages = new Map(lines.flatMap(([kind, name = '', version = '']) => (kind === 'package' ? [[name, version] as const] : [])))
  const php = lines.find(([kind]) => kind === 'php')?.[1] ?? ''
  return { found: found[0] ?? null, php: /^\d+\.\d+$/.test(php) ? php : '', packages }
}

const decode = (text: string): string => Buffer.from(text, 'base64').toString('utf8')
