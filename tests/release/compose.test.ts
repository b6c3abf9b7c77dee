/** The compose files of deploy/image: what each container may, and that the settings in them are those of Gatehouse. No engine for containers is needed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preparePlace } from '@/lib/database/prepare-place'
import { parseSettings } from '@/lib/settings/settings'
import { openOwnCluster, postgresqlMissing } from '../support/postgresql'

type Container = {
  user?: string
  image: string
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  restart?: string
  environment?: Record<string, string | number>
  volumes?: string[]
  secrets?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
}

type Compose = {
  services: Record<string, Container>
  volumes: Record<string, null>
  secrets?: Record<string, { file: string }>
  configs?: Record<string, { content: string }>
}

function read(file: string): Compose {
  const program = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', program], {
    input: readFileSync(`deploy/image/${file}`),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** With the default of each variable that whoever starts it may set. */
const environmentOf = ({ environment = {} }: Container): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const text = String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1')
      return text === '' ? [] : [[name, text]]
    }),
  )

const files = ['compose.yaml', 'compose.postgresql.yaml'] as const

test.each(files)('%s: no container is root, or can write but to its volumes', (file) => {
  for (const [name, container] of Object.entries(read(file).services)) {
    expect(container, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], tmpfs: ['/tmp'] })
    expect(container.user, name).toMatch(/^(postgres|1000[12]:1000[12])$/)
  }
})

test.each(files)('%s: what keeps running has a health check, and everything that is named is there', (file) => {
  const { services, volumes, secrets = {} } = read(file)
  for (const [name, { restart, healthcheck, depends_on = {}, volumes: mounts = [], secrets: given = [] }] of Object.entries(services)) {
    expect(healthcheck !== undefined, name).toBe(restart === 'unless-stopped')
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(condition, `${name} after ${other}`).toBe(
        services[other]?.restart === 'unless-stopped' ? 'service_healthy' : 'service_completed_successfully',
      )
    }
    for (const mount of mounts) expect(volumes, name).toHaveProperty(mount.split(':')[0] ?? '')
    for (const secret of given) expect(secrets, name).toHaveProperty(secret)
  }
})

test.each(files)('%s: settings are valid, and none contains a secret', (file) => {
  for (const [name, container] of Object.entries(read(file).services)) {
    const environment = environmentOf(container)
    const secrets = Object.keys(environment).filter((each) => /PASSWORD|SECRET|KEK|KEY/.test(each) && !/_FILE$|^GATEHOUSE_KEYS$/.test(each))
    expect(secrets, name).toEqual([])
    if (name === 'postgresql') continue
    const folders = { GATEHOUSE_DATA: '/data', GATEHOUSE_KEYS: '/keys' }
    expect(parseSettings({ ...folders, ...environment }, '/'), name).toMatchObject({ publicUrl: expect.anything() })
  }
})

test('compose.postgresql.yaml: the portals share keys and database, and each has its own data and port', () => {
  const { services } = read('compose.postgresql.yaml')
  const portals = [services['portal-1'], services['portal-2']].map((container) => {
    const mounts = container?.volumes ?? []
    const find = (folder: string) => mounts.find((mount) => mount.includes(folder))?.split(':')[0]
    const { PORT, DATABASE_URL } = container?.environment ?? {}
    return { keys: find('/keys'), data: find('/data'), PORT, DATABASE_URL }
  })
  const [one, other] = portals
  expect([one?.keys, one?.DATABASE_URL]).toEqual([other?.keys, other?.DATABASE_URL])
  expect([one?.data, other?.data]).toEqual(['portal-1-data', 'portal-2-data'])
  expect([one?.PORT, other?.PORT]).toEqual([3000, 3001])
})

test.skipIf(postgresqlMissing)(
  'compose.postgresql.yaml: its first start makes databases that Gatehouse takes, with the passwords of the files',
  async () => {
    await using cluster = await openOwnCluster()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'))
    try {
      for (const name of ['portal', 'service']) writeFileSync(join(folder, name), `the one of ${name}'s\n`)
      const sql = (read('compose.postgresql.yaml').configs?.databases?.content ?? '').replaceAll('/run/secrets', folder)
      const { host, user } = cluster.address
      const psql = spawnSync('/usr/bin/psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-h', host, '-U', user, 'postgres'], {
        input: sql,
        encoding: 'utf8',
      })
      expect([psql.status, psql.stderr]).toEqual([0, ''])
      for (const [schema, name] of [
        ['portal', 'gatehouse'],
        ['service', 'gatehouse_service'],
      ] as const) {
        expect((await preparePlace({ ...cluster.address, user: name, database: name }, schema)).applied.length).toBeGreaterThan(0)
        const [row] = await cluster.ask(`SELECT "rolpassword" LIKE 'SCRAM-SHA-256%' AS "has" FROM "pg_authid" WHERE "rolname" = '${name}'`)
        expect(row).toEqual({ has: true })
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
