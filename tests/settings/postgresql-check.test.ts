/** `gatehouse config check` and `gatehouse migrate` with databases on PostgreSQL: which rights a role needs, and which it should not have. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { checkConfig } from '@/lib/launcher/config-check'
import { addressText, openPostgresql, postgresqlMissing, type TestPostgresql } from '../support/postgresql'

const onPostgresql = test.skipIf(postgresqlMissing)

/** A role that owns nothing and may only connect. */
async function createRole(place: TestPostgresql): Promise<string> {
  const role = `app "${process.pid}`
  await place.ask(`REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE "app ""${process.pid}" LOGIN`)
  return role
}

const dropRole = (place: TestPostgresql) => place.ask(`DROP OWNED BY "app ""${process.pid}"; DROP ROLE "app ""${process.pid}"`)

const check = (url: string) => checkConfig(null, { DATABASE_URL: url }, '/nowhere')

function migrate(env: Record<string, string>, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/launcher/migrate.ts', ...args]
  return promisify(execFile)(process.execPath, command, { env: { ...process.env, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

onPostgresql(
  'a role that may not make tables gets an error that names the command for the owner, which prints exactly what the role needs',
  async () => {
    await using place = await openPostgresql('empty')
    const role = await createRole(place)
    const [owner, app] = [addressText(place.address), addressText(place.as(role))]
    expect((await check(app)).problems).toEqual([
      {
        line: null,
        message: expect.stringMatching(
          /^DATABASE_URL: the database .* has no tables yet, and the role .* may not change it\. Run \.\/gatehouse migrate --for/,
        ),
      },
    ])
    const { code, stdout } = await migrate({ DATABASE_URL: owner }, '--for', role)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^portal: \d+ migrations? applied to .*\nIn that database, as postgres:\nGRANT CONNECT/),
    ])
    const statements = stdout.split('\n').slice(2).join('\n')
    const lacking = (await check(app)).problems
    expect(lacking).toEqual([
      {
        line: null,
        message: expect.stringMatching(/may not use \d+ tables of the database .*\. Run in it as postgres:\n {2}GRANT CONNECT/),
      },
    ])
    expect(
      lacking[0]?.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
    ).toEqual(statements.trim().split('\n'))

    await place.ask(statements)
    expect(await check(app)).toEqual({ problems: [], notes: [] })
    await place.ask('CREATE TABLE "Later" (n INT)')
    expect(await check(app)).toEqual({ problems: [], notes: [] })
    expect(await migrate({ DATABASE_URL: app })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^portal: nothing to migrate in/) })
    await dropRole(place)
  },
)

onPostgresql('a role that can change the tables is noted, and the settings are valid', async () => {
  await using place = await openPostgresql('portal')
  const { problems, notes } = await check(addressText(place.address))
  expect([problems, notes]).toEqual([[], [expect.stringMatching(/^DATABASE_URL: the role postgres can change the tables of the database/)]])
})

onPostgresql('a database that cannot be reached and a missing password file are named', async () => {
  await using place = await openPostgresql('portal')
  const nowhere = addressText({ ...place.address, database: 'nowhere' })
  expect((await check(nowhere)).problems).toEqual([
    { line: null, message: expect.stringMatching(/^DATABASE_URL: The database nowhere at .* cannot be used/) },
  ])
  const { problems } = await checkConfig(null, { DATABASE_URL: addressText(place.address), DATABASE_PASSWORD_FILE: '/nonexistent/p' }, '/')
  expect(problems[0]?.message).toBe(
    'The file /nonexistent/p is missing. Put the secret there, or set DATABASE_PASSWORD_FILE to another file.',
  )
  expect(await migrate({})).toMatchObject({ code: 1, stderr: expect.stringContaining('No database is on PostgreSQL') })
  expect((await migrate({}, '--to', 'x')).code).toBe(2)
})
