/** `gatehouse backup verify`: a drill on archives of a real portal and service, as a process of its own. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBackup } from '@/lib/backup/scheduled/make'
import { verifyArchive } from '@/lib/backup/scheduled/verify'
import { copyInBackground } from '@/lib/database/connection'
import { startHeads, writeHead } from '@/lib/portal/audit/heads/write'
import { recordAudit } from '@/lib/portal/audit/record'
import { type ProgramName, programs } from '@/lib/programs.mjs'
import { keepMachine, openTestService } from '@/tests/service/support/service'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { runSql } from '@/tests/support/sqlite-file'
import { runVerify } from '@/tests/support/verify-command'

test('the newest archives are restored, opened, decrypted and counted, and everything is removed; a damaged one and a broken log are found', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-drill-'))
  const [folder, temporary, identity] = [join(dir, 'backups'), join(dir, 'tmp'), join(dir, 'identity')]
  for (const each of [folder, temporary]) mkdirSync(each)
  execFileSync('age-keygen', ['-o', identity], { stdio: 'ignore' })
  const recipient = execFileSync('age-keygen', ['-y', identity], { encoding: 'utf8' }).trim()
  const environment = { BACKUP_RECIPIENT: recipient, BACKUP_FOLDER: folder }
  await using portal = await openPortalDatabase({ environment })
  await using service = await openTestService()
  const { settings } = portal
  const { backup } = settings
  if (backup === null) throw new Error('no backups')
  await startHeads()
  const team = await createTeam()
  await team.join('owner')
  const event = { teamId: team.id, actor: { kind: 'gatehouse' }, action: 'session.signIn', stage: 'event', outcome: 'done' } as const
  await recordAudit({ ...event, object: { kind: 'team', id: team.id } })
  await writeHead()
  await keepMachine(service, { host: '192.0.2.1', port: 22 })
  for (const file of [settings.serviceDatabase, settings.serviceKekFile]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await copyInBackground(join(service.dir, 'data', 'service.db'), settings.serviceDatabase)
  writeFileSync(settings.serviceKekFile, readFileSync(join(service.dir, 'keys', 'kek.key')), { mode: 0o400 })
  const make = (half: 'portal' | 'service', at: string) => makeBackup({ settings, backup, half, now: new Date(at) })
  await make('portal', '2026-11-26T03:00:00Z')
  await make('portal', '2026-11-27T03:00:00Z')
  await make('service', '2026-11-27T03:00:01Z')

  const env = { ...environment, TMPDIR: temporary, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir }
  const good = await runVerify(['--identity', identity], env)
  expect(good.stderr).toBe('')
  expect(good.stdout.split('\n')).toEqual([
    expect.stringMatching(/^gatehouse-portal-2026-11-27T03-00-00Z\.tar\.gz\.age: 2026-11-27 03:00 UTC, \d+ kB\.$/),
    'Decrypted and complete: portal-audit-heads, portal.db, portal-kek.key, portal-session.key.',
    expect.stringMatching(/^portal\.db is intact: 1 user, 0 servers, 0 sites, 0 jobs, \d+ audit log entr(y|ies)\.$/),
    expect.stringMatching(/^\d+ sealed values open, all under the key \w+\.$/),
    expect.stringMatching(/^Log integrity verified: \d+ entr/),
    expect.stringMatching(/^The signed heads begin on /),
    expect.stringMatching(/^gatehouse-service-2026-11-27T03-00-01Z\.tar\.gz\.age: 2026-11-27 03:00 UTC, \d+ kB\.$/),
    'Decrypted and complete: service.db, service-kek.key.',
    'service.db is intact: 1 server, 0 sites, 1 API key.',
    expect.stringMatching(/^\d+ sealed values? opens?, all under the key \w+\.$/),
    'These backups can be restored.',
    '',
  ])
  // tsx, which runs sources, has a folder of its own there.
  expect([good.code, readdirSync(temporary).filter((name) => name.startsWith('gatehouse-'))]).toEqual([0, []])

  const elsewhere = join(dir, 'elsewhere')
  mkdirSync(elsewhere)
  const archive = readdirSync(folder).find((name) => name.startsWith('gatehouse-service')) ?? ''
  copyFileSync(join(folder, archive), join(elsewhere, archive))
  const half = await runVerify(['--identity', identity], { ...env, BACKUP_FOLDER: elsewhere })
  expect([half.code, half.stdout.split('\n', 1)]).toEqual([0, [`There is no backup of the portal in ${elsewhere}.`]])
  // A script sees each archive, also beside a damaged one.
  const portalArchive = 'gatehouse-portal-2026-11-27T03-00-00Z.tar.gz.age'
  writeFileSync(join(elsewhere, portalArchive), readFileSync(join(folder, portalArchive)).subarray(0, 3000))
  const asJson = await runVerify(['--identity', identity, '--json'], { ...env, BACKUP_FOLDER: elsewhere })
  expect([asJson.code, asJson.stderr]).toEqual([1, expect.stringContaining(`${portalArchive}: The archive could not be decrypted`)])
  expect(JSON.parse(asJson.stdout)).toEqual({
    ok: false,
    missing: [],
    archives: [
      {
        ...{ file: join(elsewhere, portalArchive), half: 'portal', madeAt: '2026-11-27T03:00:00.000Z', bytes: 3000, findings: [] },
        error: expect.stringMatching(/^The archive could not be decrypted/),
      },
      {
        ...{ file: join(elsewhere, archive), half: 'service', madeAt: '2026-11-27T03:00:01.000Z', bytes: expect.any(Number), error: null },
        findings: expect.arrayContaining(['service.db is intact: 1 server, 0 sites, 1 API key.']),
      },
    ],
  })

  // Somebody changed an entry before the backup was made.
  runSql(settings.portalDatabase, `UPDATE AuditRow SET outcome = 'failed' WHERE action = 'session.signIn'`)
  const { name } = await make('portal', '2026-11-28T03:00:00Z')
  const verify = (scratch: string) => {
    mkdirSync(join(dir, scratch), { mode: 0o700 })
    const nodeArguments = (program: ProgramName) => ['--conditions=react-server', '--import', 'tsx', programs[program]]
    return verifyArchive(join(folder, name), { identity, scratch: join(dir, scratch), settings, trial: null, nodeArguments })
  }
  await expect(verify('broken')).rejects.toThrow(/The audit log cannot be trusted from entry 1 on/)
  writeFileSync(join(folder, name), readFileSync(join(folder, name)).subarray(0, 3000))
  await expect(verify('cut')).rejects.toThrow(/^The archive could not be decrypted/)
  rmSync(dir, { recursive: true, force: true })
})
