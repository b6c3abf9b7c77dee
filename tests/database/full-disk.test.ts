/** A disk without room: a small file system of its own, which takes root to make. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { backUp } from '@/lib/backup/backup'
import { prepareDatabase } from '@/lib/database/prepare'
import { createAdapter } from '@/lib/database/prisma-adapter'
import { Sqlite } from '@/lib/database/sqlite'
import { createWriteCheck } from '@/lib/database/write-check'
import { createKeyFile } from '@/lib/sealing/key-file'
import { parseSettings } from '@/lib/settings/settings'
import { PrismaClient } from '@/prisma/generated/portal/client'
import { forgetMigration } from '../support/older-database'
import { runSql } from '../support/sqlite-file'

const mayMount = process.getuid?.() === 0

function mountSmallDisk() {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'gatehouse-test', dir])
  const filler = join(dir, 'filler')
  return {
    dir,
    fill: () => {
      const { bavail, bsize } = statfsSync(dir)
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    },
    makeRoom: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => {
      execFileSync('umount', [dir])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Longer than a verdict of health stands. */
const later = () => delay(2_100)

test.runIf(mayMount)('security 50: health is not ready while the disk is full, and ready again when there is room', async () => {
  using disk = mountSmallDisk()
  const file = join(disk.dir, 'portal', 'portal.db')
  await prepareDatabase({ file, schema: 'portal' })
  const database = new Sqlite(file)
  const client = new PrismaClient({ adapter: createAdapter(database) })
  const check = createWriteCheck(file, () => client.$executeRaw`PRAGMA user_version = 0`)
  expect(await check()).toEqual({ disk: true, database: true })
  disk.fill()
  await later()
  expect(await check()).toMatchObject({ disk: false })
  await expect(client.team.create({ data: { id: 'big', name: 'x'.repeat(500_000) } })).rejects.toThrow(/full/)
  expect(await client.team.count()).toBe(0)
  disk.makeRoom()
  await later()
  expect(await check()).toEqual({ disk: true, database: true })
  await client.team.create({ data: { id: 'small', name: 'Northwind' } })
  await client.$disconnect()
  expect(runSql(file, 'SELECT id FROM "Team"')).toEqual([{ id: 'small' }])
})

test.runIf(mayMount)('security 50: an upgrade on a full disk changes nothing', async () => {
  using disk = mountSmallDisk()
  const settings = parseSettings({}, disk.dir)
  const file = settings.portalDatabase
  await prepareDatabase({ file, schema: 'portal' })
  runSql(file, `INSERT INTO "Team" (id, name) VALUES ('t', 'Northwind')`)
  runSql(file, forgetMigration)
  // SQLite makes its two helpers before it finds that they have no room.
  const filesOf = () =>
    readdirSync(join(file, '..'))
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort()
  const before = filesOf()
  disk.fill()
  for (const _ of [1, 2])
    await expect(prepareDatabase({ file, schema: 'portal' })).rejects.toThrow(/cannot be read \(.+\)|could not be migrated \(.+\)/)
  expect(filesOf()).toEqual(before)

  disk.makeRoom()
  expect((await prepareDatabase({ file, schema: 'portal' })).applied).toHaveLength(1)
  expect(runSql(file, 'SELECT id FROM "Team"')).toEqual([{ id: 't' }])
})

test.runIf(mayMount)('security 50: a backup onto a full disk leaves nothing half and says why', async () => {
  using disk = mountSmallDisk()
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-source-'))
  try {
    const settings = parseSettings({}, dir)
    await prepareDatabase({ file: settings.portalDatabase, schema: 'portal' })
    for (const key of [settings.portalKekFile, settings.sessionSecretFile]) createKeyFile(key).fill(0)
    disk.fill()
    const to = { databases: join(disk.dir, 'copy'), keys: join(disk.dir, 'copy-keys') }
    await expect(backUp(settings, to)).rejects.toThrow(/^The backup could not be finished: database or disk is full\. Nothing was saved\.$/)
    expect([readdirSync(to.databases), readdirSync(to.keys)]).toEqual([[], []])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
