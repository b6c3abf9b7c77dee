import { useSiteList } from '@/app/_shared/sites/use-site-list'
import { countOf } from '@/app/_ui/count'
import { toReadableDomain } from '@/lib/text/idn'

type LeavingSitesProps = { serverId: string; foreign: boolean }

/** What becomes of a server’s sites when it is deleted. The list is read when the confirmation opens, so that the count is current. */
export function LeavingSites({ serverId, foreign }: LeavingSitesProps) {
  const { list, problem } = useSiteList()
  const domains = list?.sites.filter((site) => site.serverId === serverId).map(({ domain }) => domain)
  // As high as one line from the start, so that the form below does not move.
  return <p className="mt-1.5 min-h-5">{domains ? describe(domains, foreign) : problem ? unread : 'Counting its sites…'}</p>
}

const unread = 'Its sites could not be counted.'

function describe(domains: readonly string[], foreign: boolean) {
  const [first] = domains
  if (first === undefined) return 'It has no sites.'
  const one = domains.length === 1
  const sites = (
    <strong className="font-semibold text-ink wrap-anywhere">{one ? toReadableDomain(first) : countOf(domains.length, 'site')}</strong>
  )
  if (foreign) return <>The service also decides what happens to {sites} on it.</>
  return (
    <>
      Its {one ? 'site ' : null}
      {sites} {one ? 'leaves' : 'leave'} the list with it, but {one ? 'keeps' : 'keep'} running on the server, with nightly backups. Adding
      the server again brings {one ? 'it' : 'them'} back.
    </>
  )
}
