/** A service database of an earlier version opens: every state and provider in it is in the schema's lists. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { prepareDatabase } from '@/lib/database/prepare'
import { openStore } from '@/lib/service/store/db'

test('rows of an older database are read as they were written', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  const file = join(dir, 'service.db')
  writeFileSync(file, gunzipSync(readFileSync('tests/fixtures/before-driver-change/service.db.gz')), { mode: 0o600 })
  await prepareDatabase({ file, schema: 'service' })
  const db = openStore(file)
  try {
    expect(await db.machine.findMany({ select: { provider: true, state: true } })).toEqual([{ provider: 'sandbox', state: 'ready' }])
    const columns = { number: true, operation: true, siteId: true, state: true }
    expect(await db.run.findMany({ select: columns })).toEqual([{ number: 1, operation: 'servers.install', siteId: null, state: 'done' }])
    const events = await db.runEvent.findMany({ orderBy: { id: 'asc' } })
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)).toMatchObject({ status: 'done', progress: 100, at: expect.any(Date) })
    await expect(db.machine.updateMany({ data: { state: 'lost' as never } })).rejects.toThrow(/state/)
  } finally {
    await db.$disconnect()
    rmSync(dir, { recursive: true, force: true })
  }
})
