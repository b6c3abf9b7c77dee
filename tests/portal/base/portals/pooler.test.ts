/** A portal whose queries go through PgBouncer, and whose connection that stays open goes past it. */
import { expect, test } from 'vitest'
import { PostgresqlSession } from '@/lib/database/postgresql-kept-session'
import { closeDatabase, db } from '@/lib/portal/base/db'
import { channel, onHint, sendHint } from '@/lib/portal/base/portals/hints'
import { asLeader, beatOnce, joinPortals, leavePortals } from '@/lib/portal/base/portals/join'
import { sessionName } from '@/lib/portal/base/portals/leadership'
import { processLease } from '@/lib/portal/base/portals/lease'
import { beat } from '@/lib/portal/base/portals/members'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { openPgbouncer, pgbouncerMissing } from '@/tests/support/pgbouncer'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { askPostgresql, postgresqlMissing } from '@/tests/support/postgresql'

const patience = { timeout: 20_000 }

/** DATABASE_URL names the pooler from now on, and DATABASE_LISTEN_URL the server. */
async function moveBehindPooler({ settings }: PortalDatabase) {
  const address = settings.portalPostgresql
  if (!address) throw new Error('The portal is not on PostgreSQL.')
  const pooler = await openPgbouncer(address, [address.user])
  await closeDatabase()
  Object.assign(settings, { portalPostgresql: pooler.through(address), portalListen: address })
  return {
    address,
    shared: sharedDatabase(),
    [Symbol.asyncDispose]: async () => {
      await leavePortals()
      await closeDatabase()
      await pooler[Symbol.asyncDispose]()
    },
  }
}

test.skipIf(postgresqlMissing ?? pgbouncerMissing)(
  'hints arrive in both directions and a leader is found, while queries go through the pooler',
  async () => {
    await using portal = await openPortalDatabase({ engine: 'postgresql' })
    await using scene = await moveBehindPooler(portal)
    const { address, shared } = scene
    if (!shared) throw new Error('The portal is not on PostgreSQL.')
    await joinPortals()
    // Another portal, which listens.
    const told: string[] = []
    const other = new PostgresqlSession(address, {
      name: sessionName('other'),
      channel,
      opened: () => {},
      notified: (text) => told.push(text),
      closed: () => {},
    })
    await beat(shared, 'other')
    await beatOnce()
    const heard: string[] = []
    const stopHearing = onHint('job', (text) => heard.push(text))

    const rounds: string[] = []
    const work = async () => {
      rounds.push('led')
    }
    await expect.poll(() => asLeader(work).then(() => rounds), patience).toContain('led')
    const team = (number: number) => db().team.create({ data: { id: `t${number}`, name: '' } })
    await Promise.all(Array.from({ length: 12 }, (_, number) => team(number)))
    // What a notification in a pooled connection reaches: whoever listens on a connection of the server.
    await expect
      .poll(() => sendHint('presence', 'server robin').then(() => told), patience)
      .toContain(`presence ${processLease()} server robin`)
    const hint = () => shared.pool.query('SELECT pg_notify($1, $2)', [channel, 'job other the-job'])
    await expect.poll(() => hint().then(() => heard), patience).toContain('the-job')

    const sessions = await askPostgresql(
      address,
      `SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    const kept = sessions.filter(({ name }) => String(name).startsWith('gatehouse ')).map(({ name }) => name)
    expect(kept.sort()).toEqual([sessionName(processLease()), sessionName('other')].sort())
    // As many as the pooler has to the server, for however many queries at once.
    expect(sessions.length - kept.length).toBeLessThanOrEqual(4)
    expect(await db().team.count()).toBe(12)
    stopHearing()
    await other.close()
  },
)
