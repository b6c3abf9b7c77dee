/** What the service deletes after its retention period: old lines, except each server's newest ones and those of a current run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareDatabase } from '@/lib/database/prepare'
import { openStore } from '@/lib/service/store/db'
import { pruneRunLines } from '@/lib/service/store/prune'
import type { RunState } from '@/prisma/generated/service/client'

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)

const machine = (id: string) => {
  const where = { host: id, port: 22, user: 'root', region: '', type: '', ip: '', dns: '', hostname: id }
  return { id, accountId: 'a', provider: 'sandbox' as const, name: id, state: 'ready' as const, hostKey: id, publicKey: '', ...where }
}

test('lines older than 180 days are deleted; line numbering and a current run are not affected', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-prune-'))
  const file = join(dir, 'service', 'service.db')
  await prepareDatabase({ file, schema: 'service' })
  const db = openStore(file)
  try {
    await db.account.create({ data: { id: 'a', name: 'a' } })
    const events: [machine: string, state: RunState, days: number[]][] = [
      ['quiet', 'done', [200, 190, 185]],
      ['busy', 'running', [200, 190, 0]],
      ['mixed', 'done', [200, 181, 179]],
    ]
    for (const [id, state, days] of events) {
      await db.machine.create({ data: machine(id) })
      await db.run.create({ data: { id, machineId: id, number: 1, state } })
      const line = { machineId: id, runId: id, step: 's', progress: 1, status: 'running' as const, message: 'm' }
      await db.runEvent.createMany({ data: days.map((ago, index) => ({ ...line, id: index + 1, at: daysAgo(ago) })) })
    }
    expect(await pruneRunLines(db)).toBe(4)
    const left = await db.runEvent.findMany({ orderBy: [{ machineId: 'asc' }, { id: 'asc' }] })
    expect(left.map(({ machineId, id }) => `${machineId} ${id}`)).toEqual(['busy 1', 'busy 2', 'busy 3', 'mixed 3', 'quiet 3'])
    expect(await pruneRunLines(db)).toBe(0)
  } finally {
    await db.$disconnect()
    rmSync(dir, { recursive: true, force: true })
  }
})
