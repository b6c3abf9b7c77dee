/** The name under which a browser saves an archive. */
import 'server-only'

const endings = ['.tar.zst', '.tar.gz', '.tar.xz', '.tar.bz2', '.tgz', '.tar', '.zip'] as const

/** "example.org-2026-11-25.tar.zst": of the link only a known ending is used. The domain may be anything that a service lists. */
export function archiveName(domain: string, link: string, at: Date): string {
  const path = new URL(link).pathname.toLowerCase()
  const ending = endings.find((known) => path.endsWith(known)) ?? ''
  const plain = domain
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/^[.-]+/, '')
  return `${plain.slice(0, 200) || 'site'}-${at.toISOString().slice(0, 10)}${ending}`
}
