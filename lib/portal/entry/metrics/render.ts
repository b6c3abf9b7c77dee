/** The figures in Prometheus's text format. */
import 'server-only'
import { type Figures, upstreamBounds } from '@/lib/portal/base/figures'

/** What is asked of process and database at the moment of reading. */
export type Moment = { runningJobs: number; residentBytes: number; cpuSeconds: number; startedAtSeconds: number }

type Sample = readonly [labels: string, value: number]

const single = (value: number): Sample[] => [['', value]]

function family(name: string, kind: 'counter' | 'gauge' | 'histogram', help: string, samples: readonly Sample[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...samples.map(([labels, value]) => `${name}${labels} ${value}`)].join('\n')
}

/** One sample for each key of two words, the words as labels of these names. */
function labelled(counts: ReadonlyMap<string, number>, first: string, second: string): Sample[] {
  return [...counts].sort().map(([key, value]) => {
    const [one = '', two = ''] = key.split(' ')
    return [`{${first}="${one}",${second}="${two}"}`, value]
  })
}

function upstreamSamples({ buckets, sum }: Figures['upstream']): Sample[] {
  let within = 0
  const cumulative = buckets.map((count, index): Sample => {
    within += count
    return [`_bucket{le="${upstreamBounds[index] ?? '+Inf'}"}`, within]
  })
  return [...cumulative, ['_sum', sum], ['_count', within]]
}

/** The whole page, ready to be scraped. */
export function renderMetrics(figures: Figures, moment: Moment): string {
  const families = [
    family(
      'gatehouse_requests_total',
      'counter',
      'Requests answered, by method and class of status.',
      labelled(figures.requests, 'method', 'status'),
    ),
    family(
      'gatehouse_operations_total',
      'counter',
      'Operations that people ran, by outcome.',
      labelled(figures.operations, 'operation', 'outcome'),
    ),
    family('gatehouse_jobs_running', 'gauge', 'Jobs under way.', single(moment.runningJobs)),
    family('gatehouse_viewers', 'gauge', 'Browsers that follow a job right now.', single(figures.viewers)),
    family(
      'gatehouse_upstream_seconds',
      'histogram',
      'Time until a service answered, or its stream began.',
      upstreamSamples(figures.upstream),
    ),
    family('process_resident_memory_bytes', 'gauge', 'Memory of the portal process.', single(moment.residentBytes)),
    family('process_cpu_seconds_total', 'counter', 'Processor time of the portal process.', single(moment.cpuSeconds)),
    family('process_start_time_seconds', 'gauge', 'When the portal process began, Unix time.', single(moment.startedAtSeconds)),
  ]
  return `${families.join('\n')}\n`
}
