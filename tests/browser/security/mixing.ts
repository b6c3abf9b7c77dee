/** Many users at once: whatever runs at the same time, an answer contains only its own team's data. */
import { expect, test } from 'vitest'
import { seededRuns } from '../../support/seeds'
import type { Estate } from './estate'

const theirServer = 'their-own-server'

export function mixing(estate: Estate): void {
  const { caller, serverName, serverId } = estate

  test('security 27: a thousand interleaved loads by two teams never mix data, in pages, reads and streamed parts', async () => {
    const ours = (await estate.join('ours', 'operator')).cookie
    const theirs = (await estate.join('theirs', 'operator')).cookie
    const known = (await caller.call('/api/servers', { cookie: theirs })).text
    expect(known).toContain(theirServer)
    const paths = ['/api/servers', '/servers', '/servers?_rsc=1', '/api/jobs', `/api/operations/servers.summary?server=${serverId}`]
    let seen = 0
    const load = async (turn: number): Promise<void> => {
      const path = paths[turn % paths.length] ?? ''
      const rsc = path.includes('_rsc') ? { rsc: '1' } : {}
      const [mine, other] = await Promise.all([
        caller.call(path, { cookie: ours, headers: rsc }),
        caller.call(path, { cookie: theirs, headers: rsc }),
      ])
      if (mine.text.includes(serverName)) seen += 1
      expect([path, mine.text.includes(theirServer)]).toEqual([path, false])
      for (const mark of estate.marks) expect([path, mark, other.text.includes(mark)]).toEqual([path, mark, false])
    }
    const turns = seededRuns(1_000)
    const next = Array.from({ length: turns }, (_, turn) => turn)
    const worker = async () => {
      for (let turn = next.shift(); turn !== undefined; turn = next.shift()) await load(turn)
    }
    await Promise.all([worker(), worker(), worker(), worker()])
    expect(seen).toBeGreaterThan(turns / 2)
  })
}
