/** A backup of a site of one Debian release is restored on the other: what comes back, or why it is refused. */
import { expect, test } from 'vitest'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { type Debian, debians } from './releases'
import { backupsFolder, backupsOf, definitions } from './sites/backed-up'
import { creation, databasePassword, endOf, siteNamed, upload, visit } from './sites/site-job'

const site = siteNamed('movedtest1a2b', 'moved.test')

const page = `<?php
  $db = new mysqli('localhost', '${site.name}', base64_decode('${Buffer.from(databasePassword).toString('base64')}'), '${site.name}');
  echo $db->query('SELECT word FROM words')->fetch_row()[0];`

/** Where a collation of the newer MariaDB is used, as its own default of texts is. */
const newer = `CREATE TABLE places (id UUID PRIMARY KEY, name VARCHAR(80) COLLATE utf8mb4_uca1400_ai_ci);
  INSERT INTO places VALUES ('123e4567-e89b-12d3-a456-426614174000', 'Zürich')`

async function startWithSite({ release }: Debian): Promise<AdmittedHost> {
  const admitted = await startInstalled(release)
  expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
  return admitted
}

/** Copies a backup with the note that it is verified, as an admin who moves a site does. */
async function carry(from: AdmittedHost, to: AdmittedHost, name: string): Promise<void> {
  for (const file of [name, `.${name}.proven`]) {
    const { stdout, code } = await from.host.run(`base64 -w 0 '${backupsFolder}/${file}'`)
    expect(code).toBe(0)
    const put = await to.host.run(`umask 077; mkdir -p ${backupsFolder}; base64 -d >'${backupsFolder}/${file}'`, { stdin: stdout })
    expect(put.code).toBe(0)
  }
}

const [debian12, debian13] = debians

test('tables, routines, triggers and events of either release come back on the other; what only the newer has is refused by name', async () => {
  if (!debian12 || !debian13) throw new Error('There are no two releases.')
  await using older = await startWithSite(debian12)
  await using fresh = await startWithSite(debian13)
  for (const [from, to] of [
    [older, fresh],
    [fresh, older],
  ] as const) {
    const [there, here] = [backupsOf(() => from, site), backupsOf(() => to, site)]
    await there.sql(`DROP DATABASE \`${site.name}\`; CREATE DATABASE \`${site.name}\``)
    await there.sql(`${definitions}; ${newer}`)
    await upload(from.host, site, 'index.php', page)
    const name = await there.backUp()
    await carry(from, to, name)
    const end = await here.restore(name)
    expect([end?.error, end?.status]).toEqual([undefined, 'done'])
    expect(await visit(to.host, site.domain)).toBe('200 old')
    expect(await here.sql('SELECT name FROM places; SELECT twice(21); SHOW TRIGGERS; SHOW EVENTS')).toMatch(/Zürich\n42\nlouder.*nightly/s)
  }
  const [there, here] = [backupsOf(() => fresh, site), backupsOf(() => older, site)]
  // A type of MariaDB 11.7.
  await there.sql('CREATE TABLE meanings (id INT PRIMARY KEY, meaning VECTOR(2) NOT NULL)')
  const name = await there.backUp()
  await carry(fresh, older, name)
  expect(await here.restore(name)).toMatchObject({
    status: 'failed',
    problem: 'unsuitable',
    error: expect.stringMatching(/^The database was backed up with MariaDB 11\.8, and MariaDB 10\.11, which runs here, cannot load it\./),
  })
  expect(await visit(older.host, site.domain)).toBe('200 old')
})
