/** Databases on PostgreSQL are backed up by pg_dump, restored by pg_restore and tried by the drill, with the promises of files. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backUp } from '@/lib/backup/backup'
import { restore } from '@/lib/backup/restore'
import { makeBackup } from '@/lib/backup/scheduled/make'
import { dumpDatabase, readDumpedRows } from '@/lib/database/dump'
import { startHeads, writeHead } from '@/lib/portal/audit/heads/write'
import { recordAudit } from '@/lib/portal/audit/record'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { parseSettings } from '@/lib/settings/settings'
import { openPortalDatabase, type PortalDatabase } from '../support/portal-database'
import { createTeam } from '../support/portal-team'
import { addressText, askPostgresql, openPostgresql, postgresqlMissing } from '../support/postgresql'
import { runVerify } from '../support/verify-command'

const onPostgresql = test.skipIf(postgresqlMissing)

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-pgdump-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
const members = 'SELECT name, email FROM "User"'

/** A portal on PostgreSQL with a team, an owner, an entry of the audit log and its head. */
async function openUsed(environment: Record<string, string> = {}): Promise<PortalDatabase & { address: PostgresqlAddress }> {
  const portal = await openPortalDatabase({ engine: 'postgresql', environment })
  await startHeads()
  const team = await createTeam()
  await team.join('owner')
  const event = { teamId: team.id, actor: { kind: 'gatehouse' }, action: 'session.signIn', stage: 'event', outcome: 'done' } as const
  await recordAudit({ ...event, object: { kind: 'team', id: team.id } })
  await writeHead()
  if (portal.settings.portalPostgresql === null) throw new Error('not on PostgreSQL')
  return { ...portal, address: portal.settings.portalPostgresql }
}

onPostgresql('a backup is restored into an empty database, and never over data or into a file', async () => {
  const dir = makeFolder()
  await using used = await openUsed()
  const to = { databases: join(dir, 'copy'), keys: join(dir, 'copy-keys') }
  const { names, missing } = await backUp(used.settings, to)
  expect([names, missing]).toEqual([['portal-audit-heads', 'portal.pgdump', 'portal-kek.key', 'portal-session.key'], []])
  expect(statSync(join(to.databases, 'portal.pgdump')).mode & 0o777).toBe(0o600)
  const { masterKeys } = JSON.parse(readFileSync(join(to.databases, 'manifest.json'), 'utf8'))
  expect(Object.keys(masterKeys)).toEqual(['portal.pgdump'])

  const elsewhere = parseSettings({}, join(dir, 'elsewhere'))
  await expect(restore(elsewhere, to)).rejects.toThrow(/portal\.pgdump, which is for PostgreSQL\. Set DATABASE_URL to an empty database/)
  await expect(restore({ ...elsewhere, portalPostgresql: used.address }, to)).rejects.toThrow(/is not empty.*never replaces data/)
  expect(existsSync(elsewhere.dataDir)).toBe(false)

  await using empty = await openPostgresql('empty')
  const settings = { ...elsewhere, portalPostgresql: empty.address }
  expect(await restore(settings, to)).toEqual(names)
  expect(await empty.ask(members)).toEqual(await askPostgresql(used.address, members))
  expect(await empty.ask('SELECT seq, mac FROM "AuditRow"')).toEqual(await askPostgresql(used.address, 'SELECT seq, mac FROM "AuditRow"'))
  expect(readFileSync(settings.portalAuditHeads)).toEqual(readFileSync(used.settings.portalAuditHeads))
})

onPostgresql('a damaged dump is refused before anything is restored, and what fails halfway leaves an empty database', async () => {
  const dir = makeFolder()
  await using used = await openUsed()
  const to = { databases: join(dir, 'copy'), keys: join(dir, 'copy-keys') }
  await backUp(used.settings, to)
  await using empty = await openPostgresql('empty')
  const settings = { ...parseSettings({}, join(dir, 'elsewhere')), portalPostgresql: empty.address }
  // A function that the dump makes too.
  await empty.ask(`CREATE FUNCTION "json_member"(TEXT, TEXT) RETURNS TEXT LANGUAGE sql AS 'SELECT NULL'`)
  await expect(restore(settings, to)).rejects.toThrow(/pg_restore failed on the database .*json_member.* already exists/)
  expect([await empty.ask(tables), existsSync(settings.dataDir)]).toEqual([[], false])
  const file = join(to.databases, 'portal.pgdump')
  writeFileSync(file, readFileSync(file).subarray(0, -2000))
  await expect(restore(settings, to)).rejects.toThrow(/checksum does not match/)
})

onPostgresql('a half that cannot be restored leaves the other half’s database empty too', async () => {
  const dir = makeFolder()
  await using used = await openUsed()
  await using service = await openPostgresql('service')
  const to = { databases: join(dir, 'copy'), keys: join(dir, 'copy-keys') }
  const { names } = await backUp({ ...used.settings, servicePostgresql: service.address }, to)
  expect(names).toEqual(expect.arrayContaining(['portal.pgdump', 'service.pgdump']))
  await using portal = await openPostgresql('empty')
  await using other = await openPostgresql('empty')
  const elsewhere = parseSettings({}, join(dir, 'elsewhere'))
  const settings = { ...elsewhere, portalPostgresql: portal.address, servicePostgresql: other.address }
  // What the dump of the service makes too.
  await other.ask(`CREATE TYPE "MachineState" AS ENUM ('x')`)
  await expect(restore(settings, to)).rejects.toThrow(
    /^The restore could not be finished: pg_restore failed on the database .*MachineState.* already exists.*\. Nothing of it is left, so it can be tried again\.$/,
  )
  expect([await portal.ask(tables), await other.ask(tables), existsSync(settings.dataDir)]).toEqual([[], [], false])
  await other.ask('DROP TYPE "MachineState"')
  expect(await restore(settings, to)).toEqual(names)
  expect(await portal.ask(members)).toEqual(await askPostgresql(used.address, members))
})

test.skipIf(postgresqlMissing ?? (process.getuid?.() === 0 ? undefined : 'only root may mount'))(
  'a copy that would not fit on its disk is not begun, as on a disk that is full',
  async () => {
    const dir = makeFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', dir])
    onTestFinished(() => void execFileSync('umount', [dir]))
    await using used = await openPostgresql('portal')
    const dumping = dumpDatabase(used.address, join(dir, 'copy'))
    await expect(dumping).rejects.toThrow(/^The disk of \/\S+ has 2 MB free, and a copy of the database .+ may need \d+ MB\.$/)
    await expect(dumping).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readdirSync(dir)).toEqual([])
  },
)

/** Programs that the test runs in place of PostgreSQL's. */
function putPrograms(dir: string, script: string): void {
  for (const name of ['pg_dump', 'pg_restore', 'psql']) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(dir, name), 0o755)
  }
  const { PATH } = process.env
  process.env.PATH = `${dir}:/usr/bin:/bin`
  onTestFinished(() => {
    process.env.PATH = PATH
  })
}

onPostgresql('programs that are missing or older than the server are named with what to install, and nothing is left', async () => {
  const dir = makeFolder()
  await using used = await openPostgresql('portal')
  const [{ major = 0 } = {}] = await used.ask(`SELECT current_setting('server_version_num')::int / 10000 AS major`)
  const to = join(dir, 'copy')
  putPrograms(dir, 'echo "pg_dump (PostgreSQL) 9.6.1"')
  await expect(dumpDatabase(used.address, to)).rejects.toThrow(
    `is PostgreSQL ${major}, and pg_dump here is 9. Install one as new as the server: on Debian, apt install postgresql-client-${major}.`,
  )
  process.env.PATH = '/nonexistent'
  await expect(dumpDatabase(used.address, to)).rejects.toThrow(
    `pg_dump is not installed. On Debian: apt install postgresql-client-${major}.`,
  )
  expect(readdirSync(dir).filter((name) => name.startsWith('copy'))).toEqual([])
})

onPostgresql('the password is in the environment of the program alone, and not where other users see it', async () => {
  const dir = makeFolder()
  await using used = await openPostgresql('portal')
  const passwordFile = join(dir, 'password')
  writeFileSync(passwordFile, 'a-secret-of-postgresql\n')
  putPrograms(
    dir,
    `[ "$1" = --version ] && echo "x (PostgreSQL) 99.1" && exit\necho "$0 $@" >> ${dir}/arguments; env >> ${dir}/environment`,
  )
  await dumpDatabase({ ...used.address, passwordFile }, join(dir, 'copy'))
  expect(readFileSync(join(dir, 'arguments'), 'utf8')).toContain('pg_dump --format=custom')
  expect(readFileSync(join(dir, 'arguments'), 'utf8')).not.toContain('a-secret')
  expect(readFileSync(join(dir, 'environment'), 'utf8')).toContain('PGPASSWORD=a-secret-of-postgresql')
})

onPostgresql('a scheduled backup is restored by the drill into an empty database, which is empty afterwards', async () => {
  const dir = makeFolder()
  const [folder, identity] = [join(dir, 'backups'), join(dir, 'identity')]
  mkdirSync(folder)
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' })
  const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim()
  await using used = await openUsed({ BACKUP_RECIPIENT: recipient, BACKUP_FOLDER: folder })
  const { settings } = used
  if (settings.backup === null) throw new Error('no backups')
  const { name } = await makeBackup({ settings, backup: settings.backup, half: 'portal', now: new Date('2026-11-27T03:00:00Z') })
  const [file, args] = [join(folder, name), ['--identity', identity]]

  const without = await runVerify([file, ...args], {})
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('Name an empty one for the drill: --database') })
  await using trial = await openPostgresql('empty')
  await trial.ask('CREATE EXTENSION pg_stat_statements')
  const good = await runVerify([file, ...args, '--database', addressText(trial.address)], {})
  expect(good.stderr).toBe('')
  expect(good.stdout.split('\n').slice(1)).toEqual([
    'Decrypted and complete: portal-audit-heads, portal.pgdump, portal-kek.key, portal-session.key.',
    expect.stringMatching(/^portal\.pgdump is intact: 1 user, 0 servers, 0 sites, 0 jobs, \d+ audit log entr(y|ies)\.$/),
    expect.stringMatching(/^\d+ sealed values open, all under the key \w+\.$/),
    expect.stringMatching(/^Log integrity verified: \d+ entr/),
    expect.stringMatching(/^The signed heads begin on /),
    'This backup can be restored.',
    '',
  ])
  const views = [{ table_name: 'pg_stat_statements' }, { table_name: 'pg_stat_statements_info' }]
  expect(await trial.ask(`${tables} ORDER BY 1`)).toEqual(views)
  // A database with data is neither used nor emptied.
  const wrong = await runVerify([file, ...args, '--database', addressText(used.address)], {})
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  expect(await askPostgresql(used.address, members)).toHaveLength(1)
})

onPostgresql('a text with a line separator is one value when a dump is read', async () => {
  await using portal = await openUsed()
  const name = 'Mira\u2028Lind\tqvist\\'
  await askPostgresql(portal.address, `UPDATE "User" SET name = 'Mira\u2028Lind\tqvist\\'`)
  const file = join(makeFolder(), 'portal.pgdump')
  await dumpDatabase(portal.address, file)
  const names: (string | null | undefined)[] = []
  for await (const row of readDumpedRows(file, 'User')) names.push(row.name)
  expect(names).toEqual([name])
})
