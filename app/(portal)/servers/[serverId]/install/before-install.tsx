import { titleOfStep } from '@/app/_shared/jobs/job-state'
import { formatDuration } from '@/app/_ui/dates'
import { Card, Section } from '@/app/_ui/section'
import type { PastStep, UsualInstall } from '@/lib/portal/jobs/usual-install'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { AskInstall, InstallButton } from './ask-install'

type BeforeInstallProps = {
  server: Pick<ServerRow, 'id' | 'name' | 'state' | 'sandbox' | 'extensions'>
  may: boolean
  /** How long earlier installs took, and their steps; null without one. */
  usual: UsualInstall | null
}

const brings = [
  ['Web server', 'Apache with PHP-FPM'],
  ['Database', 'MariaDB, secured'],
  ['Mail', 'Postfix, for outgoing mail of sites'],
  ['Firewall', 'UFW, with the SSH port of Gatehouse allowed first'],
  ['Updates', 'Security updates, installed automatically every day'],
  ['Backups', 'Every night'],
  ['Python', 'Debian’s own, if it is missing: backups of sites use it'],
] as const

/** What the install will do. */
export function BeforeInstall({ server, may, usual }: BeforeInstallProps) {
  const { id, name, state, sandbox, extensions } = server
  const ready = state === 'ready'
  const install = <InstallButton serverId={id} label="Install" may={may} />
  return (
    <Section title={ready ? 'Reinstall' : extensions ? 'What gets installed' : 'Install'}>
      {extensions ? <Parts /> : null}
      <p className="max-w-[70ch] py-1 text-muted">
        {formatInstallState(server)} {sandbox ? simulated : extensions ? onTheMachine : upToTheService}
      </p>
      {usual ? <p className="text-small text-muted">{formatUsual(usual)}</p> : null}
      <div>{state === '' ? <AskUnknown serverId={id} name={name} may={may} /> : install}</div>
      {usual && usual.steps.length > 0 ? <Steps steps={usual.steps} /> : null}
    </Section>
  )
}

function formatInstallState({ name, state, extensions }: BeforeInstallProps['server']): string {
  if (state === 'ready') return 'This server is already installed. Finished parts are kept as they are.'
  if (state === '') return `Gatehouse does not know whether ${name} is installed: its service does not report it.`
  return extensions ? 'Anything already set up is kept as it is.' : ''
}

const formatUsual = ({ medianMs, count }: UsualInstall): string =>
  count === 1
    ? `The last install of such a server took ${formatDuration(medianMs)}.`
    : `Usually takes about ${formatDuration(medianMs)}: the median of the last ${count} installs of such servers.`

const simulated = 'This server is simulated: installing takes seconds and touches nothing real.'
const onTheMachine =
  'Installing takes a few minutes and runs on the server itself. It continues if you close this page, and you can come back at any time.'
const upToTheService =
  'The service decides what an install sets up. You can leave this page and come back: Gatehouse keeps reading the output.'

const AskUnknown = ({ serverId, name, may }: { serverId: string; name: string; may: boolean }) => (
  <AskInstall
    serverId={serverId}
    label="Install"
    may={may}
    title={`Install ${name}?`}
    description={`Gatehouse does not know whether ${name} is installed. The service starts the install immediately, and that changes the server even if it is already installed.`}
  />
)

const Parts = () => (
  <Card>
    <dl className="divide-y divide-line">
      {brings.map(([what, how]) => (
        <div key={what} className="flex min-h-[35px] items-center gap-x-4 px-4 py-1.5">
          <dt className="w-[114px] shrink-0 text-muted">{what}</dt>
          <dd className="min-w-0 flex-1">{how}</dd>
        </div>
      ))}
    </dl>
  </Card>
)

/** A preview of the install: the steps of the last one, and how long each took. */
const Steps = ({ steps }: { steps: readonly PastStep[] }) => (
  <Card className="divide-y divide-line">
    <p id="last-steps" className="px-4 py-1.5 text-small font-semibold">
      Steps of the last install
    </p>
    <ol aria-labelledby="last-steps" className="divide-y divide-line">
      {steps.map(({ name, ms }) => (
        <li key={name} className="flex min-h-[35px] items-center gap-x-4 px-4 py-1.5">
          <span className="min-w-0 flex-1 wrap-anywhere">{titleOfStep(name)}</span>
          <span className="text-small whitespace-nowrap text-muted">{ms < 1000 ? 'under 1 s' : formatDuration(ms)}</span>
        </li>
      ))}
    </ol>
  </Card>
)
