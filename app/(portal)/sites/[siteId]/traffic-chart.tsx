import { clsx } from 'clsx'
import { useTimeZone } from '@/app/_ui/clock'
import { countOf, formatCount } from '@/app/_ui/count'
import { Card } from '@/app/_ui/section'
import { timeFormat } from '@/app/_ui/time-in-zone'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'

/** The answer of sites.traffic, and the one item in it. */
export type Traffic = Answer<typeof sites.traffic>['item'][number]

const hourMs = 3_600_000

const sum = (traffic: Traffic, of: 'requests' | 'client_errors' | 'server_errors'): number =>
  traffic.hours.reduce((total, hour) => total + hour[of], 0)

/** "12,345 requests, 120 client errors (4xx), no server errors (5xx)". */
export function describeTraffic(traffic: Traffic): string {
  const [requests, client, server] = [sum(traffic, 'requests'), sum(traffic, 'client_errors'), sum(traffic, 'server_errors')]
  if (requests === 0) return 'No requests'
  const errors = (count: number, what: string) => (count === 0 ? `no ${what}s` : countOf(count, what))
  return `${countOf(requests, 'request')}, ${errors(client, 'client error')} (4xx), ${errors(server, 'server error')} (5xx)`
}

// Less than the greatest value of a Date, so that the time is valid in every zone.
const latestMs = 8_000_000_000_000_000

/** The last 24 hours with when each began, in ms since 1970. None if the service does not say when. */
export function hoursOf({ from, hours }: Traffic): (Traffic['hours'][number] & { at: number })[] {
  const first = Date.parse(from)
  return Math.abs(first) < latestMs ? hours.slice(-24).map((hour, index) => ({ ...hour, at: first + index * hourMs })) : []
}

/** The requests of each of the last 24 hours as bars, with the errors among them coloured; the same as a list for screen readers. */
export function TrafficChart({ traffic }: { traffic: Traffic }) {
  const format = timeFormat(useTimeZone(), { hour: '2-digit', minute: '2-digit' })
  const hours = hoursOf(traffic)
  const [first] = hours
  const highest = Math.max(1, ...hours.map(({ requests }) => requests))
  const share = (count: number) => `${(count / highest) * 100}%`
  return (
    <Card className="flex flex-col gap-2 px-4 py-3">
      <p className="text-small text-muted">
        {describeTraffic(traffic)}
        {traffic.whole ? null : '. The log is too long to be read in full, so earlier hours may have had more.'}
      </p>
      {first ? (
        <>
          <div aria-hidden className="flex h-20 items-end gap-px border-b border-line">
            {hours.map((hour) => (
              <span
                key={hour.at}
                title={`${format(hour.at)}: ${describeHour(hour)}`}
                className="flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-sunken"
              >
                <Part share={share(hour.server_errors)} className="bg-danger" />
                <Part share={share(hour.client_errors)} className="bg-warn" />
                <Part share={share(Math.max(0, hour.requests - hour.client_errors - hour.server_errors))} className="bg-accent" />
              </span>
            ))}
          </div>
          <p aria-hidden className="flex justify-between text-chip text-muted">
            <span>{format(first.at)}</span>
            <span className="flex flex-wrap gap-x-3">
              <Key className="bg-accent" label="Answered" />
              <Key className="bg-warn" label="4xx" />
              <Key className="bg-danger" label="5xx" />
            </span>
            <span>Now</span>
          </p>
          <ul className="sr-only">
            {hours.map((hour) => (
              <li key={hour.at}>{`${format(hour.at)}: ${describeHour(hour)}`}</li>
            ))}
          </ul>
        </>
      ) : null}
    </Card>
  )
}

const describeHour = ({ requests, client_errors: client, server_errors: server }: Traffic['hours'][number]): string =>
  `${countOf(requests, 'request')}, ${formatCount(client)} 4xx, ${formatCount(server)} 5xx`

const Part = ({ share, className }: { share: string; className: string }) => (
  <span className={clsx('block w-full forced-colors:bg-[CanvasText]', className)} style={{ height: share }} />
)

const Key = ({ label, className }: { label: string; className: string }) => (
  <span className="inline-flex items-center gap-1">
    <span className={clsx('size-2', className)} />
    {label}
  </span>
)
