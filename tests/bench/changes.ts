/** Changes of a real host against the same ones made by Ansible on the same host. */
import { post } from '../service/support/caller'
import { ansibleMissing, type Compared, openCompared, timeMs } from './ansible'
import { type Figure, median } from './figure'
import type { Section } from './report'

const title = 'Changes of a real host'
const runs = 6
const ufwModule = 'community.general.ufw'

/** The n-th change of a kind, another each time: by the service's path and fields, and by Ansible's module; how many times faster it has to be. */
type Change = {
  what: string
  ours: (n: number) => [path: string, fields: Record<string, string>]
  theirs: (n: number) => [module: string, args: string]
  target: number
  floor: number
}

// What `openssl passwd` makes of a password: Ansible's module is given one that is hashed already.
const hashed = '$6$bench$zGzKV0yKB1KJ8hFOb1tO8Yf0Wq1rCk5VEd3zJq3Kk3M1t0C7vLxk7x3v7s4o3b5x9J0fXK3GQ0Jm0wq0Y8pVx1'

const usual = { target: 30, floor: 10 }

const changes: readonly Change[] = [
  {
    what: 'cron job saved',
    ours: (n) => ['savecronjob', { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*', user: 'root', command: `/bin/true ours ${n}` }],
    theirs: (n) => ['cron', `name=theirs-${n} minute=30 hour=4 job="/bin/true theirs ${n}"`],
    ...usual,
  },
  {
    what: 'system user saved',
    ours: (n) => ['savesystemuser', { user: `ours${n}`, pass: 'a quiet harbour in november' }],
    theirs: (n) => ['user', `name=theirs${n} password=${hashed} shell=/bin/bash`],
    ...usual,
  },
  {
    what: 'firewall rule saved',
    ours: (n) => ['savefirewallrule', { action: 'allow', from: 'any', port: String(8000 + n), protocol: 'tcp' }],
    theirs: (n) => [ufwModule, `rule=allow proto=tcp port=${9000 + n}`],
    // Both call ufw, which takes most of the time: decision 032.
    target: 8,
    floor: 5,
  },
]

export async function measureChanges(): Promise<Section> {
  const leftOut = ansibleMissing(ufwModule)
  if (leftOut !== null) return { title, how: '', figures: [], leftOut }
  await using compared = await openCompared()
  await compared.host.run('ufw allow 22/tcp && ufw --force enable')
  const figures: Figure[] = []
  for (const change of changes) figures.push(...(await measureChange(compared, change)))
  return {
    title,
    how: 'The service over its open SSH connection against Ansible over its own, alternating, with a new job, user or rule each time; medians.',
    figures,
  }
}

async function measureChange({ service, id, ansible }: Compared, { what, ours, theirs, target, floor }: Change): Promise<Figure[]> {
  const [own, other]: [number[], number[]] = [[], []]
  for (let n = 0; n < runs; n += 1) {
    const [path, fields] = ours(n)
    own.push(
      await timeMs(async () => {
        const { status, body } = await post(service, `/servers/${id}/${path}`, fields)
        if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`)
      }),
    )
    other.push(await timeMs(() => ansible(...theirs(n))))
  }
  return [
    { what, value: median(own), unit: 'ms' },
    { what: `${what}, by Ansible`, value: median(other), unit: 'ms' },
    { what: `${what}: faster by`, value: median(other) / median(own), unit: 'times', target, floor, more: true },
  ]
}
