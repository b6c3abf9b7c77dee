/** The services of a server that Gatehouse shows: a closed list, the same for each provider. */
import { type Problem, problem } from '@/lib/contract/problem'

export type ServiceState = 'running' | 'starting' | 'stopped' | 'failed'

/** One unit of systemd. since: seconds since 1970; 0 if unknown. */
export type UnitState = { unit: string; state: ServiceState; since: number }

/** A service as it is shown. running, all: of its units. */
export type ServiceFacts = UnitState & { name: string; running: number; all: number; restarts: boolean }

export type Services = {
  /** In the order of the closed list. */
  list(): Promise<ServiceFacts[]>
  /**
   * Restarts a service, or starts one that does not run. Throws MachineFailure changed_meanwhile if the server does not have it, unsuitable if its
   * configuration is wrong, so that it runs on as before, busy while work on the server or its sites runs, host_locked while packages are installed.
   */
  restart(unit: string): Promise<void>
}

/** restarts: false for SSH, because untested settings could lock Gatehouse out. */
type Known = { unit: string; name: string; restarts?: false }

const known: readonly Known[] = [
  { unit: 'apache2', name: 'Apache' },
  { unit: 'nginx', name: 'nginx' },
  { unit: 'php*-fpm', name: 'PHP *' },
  { unit: 'gatehouse-php*@', name: 'PHP * of the sites' },
  { unit: 'mariadb', name: 'MariaDB' },
  { unit: 'mysql', name: 'MySQL' },
  { unit: 'postgresql', name: 'PostgreSQL' },
  { unit: 'postfix', name: 'Postfix' },
  { unit: 'exim4', name: 'Exim' },
  { unit: 'cron', name: 'Cron' },
  { unit: 'fail2ban', name: 'fail2ban' },
  { unit: 'ssh', name: 'SSH', restarts: false },
]

const patterns = known.map((service) => ({
  ...service,
  pattern: new RegExp(`^${service.unit.replace('*', '(\\d+\\.\\d+)')}${service.unit.endsWith('@') ? '.+' : ''}\\.service$`),
}))

const find = (unit: string) => patterns.find(({ pattern }) => pattern.test(unit))

/** gatehouse-php8.2@shop.service → gatehouse-php8.2@*.service */
const groupOf = (unit: string): string => unit.replace(/@.+\.service$/, '@*.service')

export const isRestartable = (unit: string): boolean => {
  const found = find(unit)
  return found !== undefined && found.restarts !== false && groupOf(unit) === unit
}

/** Units of the closed list as services; others are left out. Those of sites count as one service, in the worst of their states. */
export function describeServices(units: readonly UnitState[]): ServiceFacts[] {
  const groups = new Map<string, UnitState[]>()
  for (const each of units.filter(({ unit }) => find(unit))) {
    const group = groupOf(each.unit)
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  const services = [...groups].map(([unit, members]): ServiceFacts & { place: number } => {
    const found = find(unit)
    const state = worst.find((each) => members.some((member) => member.state === each)) ?? 'running'
    const since = Math.max(0, ...members.flatMap((member) => (member.state === state ? [member.since] : [])))
    const name = (found?.name ?? unit).replace('*', found?.pattern.exec(unit)?.[1] ?? '')
    const running = members.filter((member) => member.state === 'running').length
    const place = patterns.findIndex(({ pattern }) => pattern.test(unit))
    return { unit, name, state, since, running, all: members.length, restarts: isRestartable(unit), place }
  })
  return services
    .sort((a, b) => a.place - b.place || a.unit.localeCompare(b.unit, 'en', { numeric: true }))
    .map(({ place: _, ...service }) => service)
}

const worst: readonly ServiceState[] = ['failed', 'stopped', 'starting']

export const noSuchService = (unit: string): Problem =>
  problem('changed_meanwhile', { sentence: `The server has no service ${unit} any more. Nothing was restarted.` })
