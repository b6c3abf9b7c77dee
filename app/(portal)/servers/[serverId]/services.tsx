'use client'

import { useRouter } from 'next/navigation'
import { StartButton } from '@/app/_shared/forms/start-button'
import { AskedAction } from '@/app/_shared/jobs/asked-action'
import { isOffered } from '@/app/_shared/reads/read'
import { operationRead } from '@/app/_shared/reads/read-address'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import { StateChip, type Tone } from '@/app/_ui/state-chip'
import type { Answer } from '@/lib/contract/operation'
import type { services } from '@/lib/contract/operations/services'
import type { Outcome } from '@/lib/contract/problem'
import { restartService } from './actions'

export type ServicesAnswer = Answer<typeof services.list>
type Service = ServicesAnswer['items'][number]

type ServicesProps = { serverId: string; first: Outcome<ServicesAnswer>; may: boolean }

/** The services of the server with their state. Renders nothing if services.list is not offered, as by older versions of the service. */
export function Services(props: ServicesProps) {
  return isOffered(props.first) ? <ServiceList {...props} /> : null
}

function ServiceList({ serverId, first, may }: ServicesProps) {
  const read = useOperation('services.list', { serverId }, { first, everyMs: 30_000 })
  return (
    <Section title="Services">
      <ReadError read={read} nothingRead="The services of this server could not be read." />
      {read.data ? (
        <Card>
          <ul className="divide-y divide-line">
            {read.data.items.map((service) => (
              <ServiceLine key={service.unit} serverId={serverId} service={service} may={may} />
            ))}
          </ul>
        </Card>
      ) : null}
    </Section>
  )
}

/** Only services that are not running have a chip. */
const chips: Readonly<Record<string, { tone: Tone; label: string }>> = {
  starting: { tone: 'accent', label: 'Starting' },
  stopped: { tone: 'warn', label: 'Stopped' },
  failed: { tone: 'danger', label: 'Failed' },
}

function ServiceLine({ serverId, service, may }: { serverId: string; service: Service; may: boolean }) {
  const { name, state, since, restarts } = service
  const chip = chips[state]
  return (
    <li className="flex min-h-12 items-center gap-x-3 px-4 py-1.5">
      <span className="min-w-0 flex-1">
        <span className="block font-semibold break-words">{name}</span>
        <span className="block text-small break-words text-muted">
          {chip ? (
            <span className="mr-1.5 inline-flex align-middle">
              <StateChip {...chip} />
            </span>
          ) : null}
          {describeState(service)}
          {since ? <RelativeTime at={since} /> : null}
        </span>
      </span>
      {restarts ? (
        <Restart serverId={serverId} service={service} may={may} />
      ) : (
        <span className="text-small text-muted" title="Untested SSH settings could lock Gatehouse out.">
          Can’t be restarted here
        </span>
      )}
    </li>
  )
}

/** The text before the time of the last change of state: "Running, started ", "1 of 12, ". */
function describeState({ state, since, running, all }: Service): string {
  const counted = running !== undefined && all !== undefined
  if (Object.hasOwn(chips, state)) return counted ? `${all - running} of ${all}${since ? ', ' : ''}` : ''
  const what = counted ? `${running} running` : 'Running'
  return since ? `${what}, ${counted ? 'last started' : 'started'} ` : what
}

type RestartProps = { serverId: string; service: Service; may: boolean }

function Restart({ serverId, service: { name, unit, state, running = 0 }, may }: RestartProps) {
  const router = useRouter()
  const verb = (state === 'stopped' || state === 'failed') && running === 0 ? 'Start' : 'Restart'
  return (
    <AskedAction
      label={verb}
      name={`${verb} ${name}`}
      may={may}
      title={`${verb} ${name}?`}
      description={verb === 'Start' ? `Starts ${unit}.` : effectOf(unit)}
      confirm={(close) => (
        <StartButton
          action={restartService}
          target={{ serverId, unit }}
          label={`${verb} ${name}`}
          message={() => (verb === 'Start' ? `${name} was started.` : `${name} was restarted.`)}
          refetch={[operationRead('services.list', { serverId }), operationRead('servers.summary', { serverId })]}
          onDone={() => {
            close()
            // Shows the restart among the last changes.
            router.refresh()
          }}
        />
      )}
    />
  )
}

const effects: readonly [unit: RegExp, effect: string][] = [
  [/^(apache2|nginx)\./, 'All sites are unreachable for a few seconds, and downloads in progress end.'],
  [/^(mariadb|mysql|postgresql)\./, 'Sites have no database for a few seconds and show errors meanwhile.'],
  [/php/, 'Requests that PHP is working on end with an error. Sites answer again after a few seconds.'],
  [/^(postfix|exim4)\./, 'Mail is delayed for a few seconds. None is lost.'],
  [/^cron\./, 'Running cron jobs continue.'],
  [/^fail2ban\./, 'Banned addresses stay banned.'],
]

const effectOf = (unit: string): string => effects.find(([pattern]) => pattern.test(unit))?.[1] ?? `Restarts ${unit}.`
