import { expect, test } from 'vitest'
import { type AuditEvent, recordAudit } from '@/lib/portal/audit/record'
import { startOfDay } from '@/lib/portal/base/days'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { readActivity, readLastChanges } from '@/lib/portal/views/activity/activity'
import { renderActivity } from '@/lib/portal/views/activity/csv'
import { type ActivityFilter, readFilter, writeFilter } from '@/lib/portal/views/activity/filter'
import { findNarrowed } from '@/lib/portal/views/activity/narrowed'
import { queryRuns, scanLimit } from '@/lib/portal/views/activity/read-runs'
import { Prisma } from '@/prisma/generated/portal/client'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const everything: ActivityFilter = readFilter({})

const eventOf = (actor: Actor, requestId: string): Omit<AuditEvent, 'stage' | 'outcome'> => ({
  requestId,
  teamId: actor.team.id,
  actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
  action: 'servers.delete',
  object: { kind: 'server', id: 'a-server-of-ours' },
  detail: { name: 'web-01' },
})

async function run(actor: Actor, requestId: string, end: Partial<AuditEvent> | null, more: Partial<AuditEvent> = {}): Promise<void> {
  const event = { ...eventOf(actor, requestId), ...more }
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  if (end) await recordAudit({ ...event, stage: 'outcome', outcome: 'done', ...end })
}

const show = async (actor: Actor, filter: Partial<ActivityFilter> = {}) =>
  (await readActivity(actor, { ...everything, ...filter }, 'UTC')).entries.map(
    ({ description, target, result }) => `${description}: ${target?.name} ${result}`,
  )

test('intent and outcome of one run are one row, newest first, with every possible result', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  await run(actor, 'run-done', {})
  await run(actor, 'run-failed', { outcome: 'failed', detail: { code: 'busy' } })
  await run(actor, 'run-unknown', { outcome: 'unknown', detail: { code: 'outcome_unknown' } })
  await run(actor, 'run-asked', { outcome: 'asked', detail: { code: 'host_key_unconfirmed' } })
  await run(actor, 'run-asked-before', { outcome: 'failed', detail: { code: 'host_key_unconfirmed' } })
  await run(actor, 'run-interrupted', { outcome: 'unknown', detail: { state: 'interrupted' } })
  await run(actor, 'run-cancelled', { outcome: 'failed', detail: { code: 'cancelled' } })
  await run(actor, 'run-open', null)
  await recordAudit({ ...eventOf(actor, 'run-denied'), stage: 'event', outcome: 'denied', detail: { code: 'forbidden' } })
  const { entries } = await readActivity(actor, everything, 'UTC')
  expect(entries.map(({ result, reason }) => [result, reason])).toEqual([
    ['denied', 'Their role or access does not include this.'],
    ['open', null],
    ['cancelled', 'The work was cancelled.'],
    ['interrupted', null],
    ['asked', 'Waiting for the host key to be confirmed.'],
    ['asked', 'Waiting for the host key to be confirmed.'],
    ['unknown', 'It is not known yet whether the change was made.'],
    ['failed', 'Another operation is running on this server. Wait until it ends.'],
    ['done', null],
  ])
  const asked = 'Delete the server: web-01 asked'
  expect(await show(actor, { outcome: 'asked' })).toEqual([asked, asked])
  for (const result of ['denied', 'open', 'cancelled', 'interrupted', 'unknown', 'failed', 'done'] as const) {
    const name = result === 'denied' ? undefined : 'web-01'
    expect(await show(actor, { outcome: result })).toEqual([`${result === 'done' ? 'Deleted' : 'Delete'} the server: ${name} ${result}`])
  }
})

test('an outcome belongs to its own run, even if an id was used again', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('operator')
  await run(actor, 'same-id-twice', { outcome: 'failed' })
  await run(actor, 'same-id-twice', {})
  expect(await show(actor)).toEqual(['Deleted the server: web-01 done', 'Delete the server: web-01 failed'])
})

test('a job that was interrupted and came back counts by its last outcome', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('operator')
  await run(actor, 'job-resumed', { outcome: 'unknown', detail: { state: 'interrupted' } })
  await recordAudit({ ...eventOf(actor, 'job-resumed'), stage: 'outcome', outcome: 'done' })
  expect(await show(actor)).toEqual(['Deleted the server: web-01 done'])
})

test('sign-ins and account changes are described in words, with the account', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const account = { teamId: actor.team.id, object: { kind: 'user', id: actor.user.id }, stage: 'event' } as const
  await recordAudit({ ...account, actor: { kind: 'nobody' }, action: 'session.signIn', outcome: 'failed' })
  await recordAudit({ ...account, actor: { kind: 'user', id: actor.user.id, sessionId: null }, action: 'session.signIn', outcome: 'done' })
  await recordAudit({ ...account, actor: { kind: 'operator' }, action: 'owner.recoverLink', outcome: 'done' })
  const { entries } = await readActivity(actor, { ...everything, kind: 'accounts' }, 'UTC')
  expect(entries.map(({ who, description, target, result }) => [who, description, target?.name ?? null, result])).toEqual([
    ['Server administrator', 'Created a recovery link', 'The owner', 'done'],
    ['The owner', 'Signed in', null, 'done'],
    ['Anonymous', 'Sign in', 'The owner', 'failed'],
  ])
  expect(await show(actor, { kind: 'changes' })).toEqual([])
})

test.each([
  [undefined, 'Wrong email address or password.'],
  ['single sign-on is required', 'The team requires single sign-on.'],
  ['another account', 'The passkey belongs to another account.'],
  ['<an unknown reason>', 'Wrong email address or password.'],
])('a sign-in that failed with the reason %j says why', async (reason, said) => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const account = { teamId: actor.team.id, object: { kind: 'user', id: actor.user.id }, stage: 'event' } as const
  await recordAudit({ ...account, actor: { kind: 'nobody' }, action: 'session.signIn', outcome: 'failed', detail: { reason } })
  expect((await readActivity(actor, everything, 'UTC')).entries).toMatchObject([{ reason: said }])
})

test('security 3: no user can read another team’s entries, nor learn a name of another team by its id', async () => {
  await using _ = await openPortalDatabase()
  const [ours, theirs] = [await createTeam('Ours'), await createTeam('Theirs')]
  const [actor, stranger] = [await ours.join('owner'), await theirs.join('owner')]
  const server = { id: 'a-server-of-ours', origin: 'https://a.test', upstreamId: '1', name: 'secret-name', hostname: 'h', dns: '' }
  await db().server.create({ data: { ...server, teamId: ours.id, listedAt: new Date() } })
  await run(actor, 'ours-only-run', {})
  await recordAudit({ ...eventOf(stranger, 'knocking'), stage: 'event', outcome: 'denied', detail: {} })
  const seen = await readActivity(stranger, everything, 'UTC')
  expect(seen.entries.map(({ target, result }) => [target, result])).toEqual([[null, 'denied']])
  expect(JSON.stringify(await readActivity(stranger, { ...everything, target: 'secret' }, 'UTC'))).not.toContain('secret-name')
  expect((await readActivity(actor, everything, 'UTC')).entries[0]?.target).toEqual({ name: 'web-01', href: '/servers/a-server-of-ours' })
})

test('entries without a team are visible to owners and admins of the first team; addresses to them, and to the user concerned', async () => {
  await using _ = await openPortalDatabase()
  const [first, second] = [await createTeam('First'), await createTeam('Second')]
  await recordAudit({
    teamId: null,
    actor: { kind: 'nobody' },
    action: 'session.signIn',
    object: { kind: 'user', id: null },
    stage: 'event',
    outcome: 'failed',
    detail: { peer: '192.0.2.9' },
  })
  const seen = async (actor: Actor) =>
    (await readActivity(actor, everything, 'UTC')).entries.map(({ peer, target }) => [peer, target?.name])
  expect(await seen(await first.join('admin'))).toEqual([['192.0.2.9', 'Unknown email address']])
  for (const actor of [await first.join('operator'), await first.join('viewer'), await second.join('owner')]) {
    expect(await seen(actor)).toEqual([])
  }
  const [viewer, owner] = [await first.join('viewer'), await first.join('owner')]
  for (const person of [viewer, owner]) {
    const event = { ...eventOf(person, `by-${person.role}-himself`), action: 'session.stepUp', detail: { peer: '192.0.2.1' } }
    await recordAudit({ ...event, object: { kind: 'user', id: person.user.id }, stage: 'event', outcome: 'done' })
  }
  expect((await seen(viewer)).map(([peer]) => peer)).toEqual([undefined, '192.0.2.1'].map((peer) => peer ?? null))
})

test('filters narrow by person, target and day of the reader’s zone', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [ada, bea] = [await team.join('owner'), await team.join('viewer')]
  await run(ada, 'of-ada-only', {}, { detail: { name: '50%_[odd]' } })
  await run(bea, 'of-bea-only', {})
  expect(await show(ada, { person: bea.user.id })).toEqual(['Deleted the server: web-01 done'])
  expect(await show(ada, { target: '%_[ODD' })).toEqual(['Deleted the server: 50%_[odd] done'])
  const today = new Date().toISOString().slice(0, 10)
  expect(await show(ada, { from: today, to: today })).toHaveLength(2)
  expect(await show(ada, { to: '2020-02-29' })).toEqual([])
  expect(await show(ada, { from: '2199-01-01' })).toEqual([])
})

test('narrowed to a server or to a connection, and each of an entry’s subjects leads to a page of its entries or to its own', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const ada = await team.join('owner')
  const connectionId = await team.connect({ origin: 'https://a.test', key: 'a-key-of-a-test' }, { label: 'Heron key' })
  await run(ada, 'through-it', {}, { connectionId })
  await run(
    ada,
    'about-it',
    {},
    { action: 'connection.rename', object: { kind: 'connection', id: connectionId }, detail: { label: 'Heron key' } },
  )
  const created = {
    action: 'servers.create',
    object: { kind: 'connection', id: connectionId },
    detail: { 'field.name': 'web-03' },
  } as const
  await run(ada, 'adding', {}, created)
  await run(ada, 'of-another', {}, { object: { kind: 'server', id: 'another-server' }, detail: { name: 'web-02' } })
  await run(ada, 'of-a-person', {}, { action: 'member.remove', object: { kind: 'user', id: 'somebody-else' } })
  const read = async (filter: Partial<ActivityFilter>) => (await readActivity(ada, { ...everything, ...filter }, 'UTC')).entries
  const gone = { name: 'web-02', href: '/activity?object=another-server' }
  expect((await read({ object: 'another-server' })).map(({ target }) => target)).toEqual([gone])
  const ofConnection = await read({ connection: connectionId })
  const narrowed = { name: 'Heron key', href: `/activity?connection=${connectionId}` }
  // What was created with it is no name of it.
  expect(ofConnection.find(({ target }) => target?.name === 'web-03')?.target).toEqual({ name: 'web-03', href: null })
  expect(ofConnection.filter(({ target }) => target?.name !== 'web-03').map(({ target, through }) => [target?.name, through])).toEqual([
    ['Heron key', null],
    ['web-01', narrowed],
  ])
  expect(ofConnection.map(({ target }) => target)).toContainEqual(narrowed)
  expect((await read({ person: 'somebody-else' })).map(({ target }) => target?.href)).toEqual(['/activity?person=somebody-else'])
  const names = await findNarrowed(ada, { ...everything, object: 'another-server', connection: 'not-of-this-team' })
  expect(names.object?.name).toBe('Not in your list')
  expect(names.connections.map(({ name }) => name)).toEqual(['Heron key', 'Another connection'])
})

test('a person’s filter includes what they began as nobody, such as joining the team', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [ada, bea] = [await team.join('owner'), await team.join('viewer')]
  const { actor: asBea } = eventOf(bea, '')
  const accept = { action: 'invitation.accept', object: { kind: 'invitation', id: 'i' }, detail: { email: 'bea@example.org' } } as const
  await run(bea, 'joined', { actor: asBea }, { ...accept, actor: { kind: 'nobody' } })
  await run(bea, 'not-joined', { outcome: 'failed' }, { ...accept, actor: { kind: 'nobody' } })
  const of = async (person: string) => (await readActivity(ada, { ...everything, person }, 'UTC')).entries.map(({ result }) => result)
  expect(await of(bea.user.id)).toEqual(['done'])
  expect(await of(ada.user.id)).toEqual([])
})

test('days begin at midnight of the zone, also when the clock changes', () => {
  expect(startOfDay('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z')
  expect(startOfDay('2026-03-29', 'Europe/Berlin', 1).toISOString()).toBe('2026-03-29T22:00:00.000Z')
  expect(startOfDay('2026-10-25', 'Europe/Berlin', 1).toISOString()).toBe('2026-10-25T23:00:00.000Z')
  expect(startOfDay('2026-11-21', 'Asia/Kathmandu').toISOString()).toBe('2026-11-20T18:15:00.000Z')
})

test('what cannot be parsed in the address filters nothing; the rest is written back', () => {
  const odd = {
    person: "x' OR 1",
    kind: '__proto__',
    outcome: 'constructor',
    from: '2026-02-31',
    to: ['a', 'b'],
    before: '-1',
    target: '  ',
  }
  expect(readFilter(odd)).toEqual(everything)
  const query = {
    person: 'abcdefgh12',
    kind: 'deletions',
    outcome: 'failed',
    target: 'web 1',
    object: 'a-server-of-ours',
    connection: 'abcdefgh34',
    from: '2026-02-01',
    to: '2026-02-03',
    before: '77',
  }
  expect(Object.fromEntries(new URLSearchParams(writeFilter(readFilter(query))))).toEqual(query)
})

test('with 100,000 rows a page reads a bounded stretch of the record by its key, whatever is searched for', {
  timeout: 60_000,
}, async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  await seed(actor, 100_000)
  const first = await readActivity(actor, everything, 'UTC')
  expect([first.entries.length, first.entries[0]?.seq, first.older]).toEqual([50, 99_999, 99_901])
  const next = await readActivity(actor, { ...everything, before: first.older }, 'UTC')
  expect(next.entries[0]?.seq).toBe(99_899)
  // Only the oldest run fits: each page looks through `reach` rows and says where to continue.
  let [page, pages] = [await readActivity(actor, { ...everything, target: 'server-1.' }, 'UTC'), 1]
  expect(page.older).toBe(100_001 - scanLimit)
  while (page.entries.length === 0) {
    page = await readActivity(actor, { ...everything, target: 'server-1.', before: page.older }, 'UTC')
    pages += 1
  }
  expect([pages, page.entries[0]?.seq, page.older]).toEqual([100_000 / scanLimit, 1, null])
  const plan = await planOf(actor)
  expect(plan).toContain('SEARCH i USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)')
  expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})

/** How SQLite means to walk the tables, a step each. */
async function planOf(actor: Actor): Promise<string[]> {
  const scope = { teamId: actor.team.id, teamless: true, zone: 'UTC' }
  const filter = { ...everything, person: actor.user.id, kind: 'deletions', outcome: 'failed', target: 'x' } as const
  const query = queryRuns(scope, filter, { ceiling: 100_001, floor: 80_001 }, 51)
  const steps = await db().$queryRaw<{ detail: string }[]>(Prisma.sql`EXPLAIN QUERY PLAN ${query}`)
  return steps.map(({ detail }) => detail)
}

/** Rows of the shape the spine writes, without their macs. */
async function seed(actor: Actor, count: number): Promise<void> {
  await db().$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO AuditRow (seq, at, requestId, teamId, actorKind, actorId, action, objectKind, objectId, stage, outcome, detail, prev, mac, macKeyId)
    SELECT i, ${new Date('2026-01-01')}, 'run-' || ((i + 1) / 2), ${actor.team.id}, 'user', ${actor.user.id}, 'servers.delete', 'server', 's',
      CASE WHEN i % 2 = 1 THEN 'intent' ELSE 'outcome' END, CASE WHEN i % 2 = 1 THEN 'asked' ELSE 'done' END,
      '{"name":"server-' || i || '."}', '', '', '' FROM n`
}

test('the CSV has every page of the filtered entries, and no cell that a spreadsheet executes', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  await seed(actor, 1_200)
  await run(actor, 'with-a-formula', {}, { detail: { name: '=HYPERLINK("http://evil.test","x, y")' } })
  let text = ''
  for await (const part of renderActivity(actor, everything, 'UTC')) text += part
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe('time,who,what,target,outcome,reason,through,from,row')
  expect(lines).toHaveLength(1 + 600 + 1)
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.test"",""x, y"")"`)
})

test('security 3: a refused attempt on a member of another team does not show that member’s name', async () => {
  await using _ = await openPortalDatabase()
  const ours = await createTeam()
  const [actor, admin] = [await ours.join('owner'), await ours.join('admin')]
  const theirs = await (await createTeam('Theirs')).join('owner')
  const denied = { stage: 'event', outcome: 'denied', action: 'member.remove', detail: { code: 'not_found' } } as const
  for (const id of [theirs.user.id, admin.user.id])
    await recordAudit({ ...eventOf(actor, `run-${id}`), ...denied, object: { kind: 'user', id } })
  const { entries } = await readActivity(actor, everything, 'UTC')
  expect(entries.map(({ target }) => target?.name)).toEqual(['The admin', 'A former member'])
})

test('the last changes of a server are its newest changes and deletions, without reads and without those of others', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('owner')
  const stranger = await (await createTeam()).join('owner')
  const change = (id: string, more: Partial<AuditEvent> = {}) =>
    run(actor, id, {}, { action: 'services.restart', detail: { 'field.unit': 'cron.service' }, ...more })
  await change('one')
  await change('two', { object: { kind: 'server', id: 'another-server' } })
  await change('three', { action: 'logs.fetch', detail: { 'field.log': 'auth' } })
  await run(actor, 'four', { outcome: 'failed', detail: { code: 'busy' } })
  await run(stranger, 'five', {})
  const show = async (reader: Actor) =>
    (await readLastChanges(reader, 'a-server-of-ours', 2)).map(({ description, result, who }) => [description, result, who])
  expect(await show(actor)).toEqual([
    ['Delete the server', 'failed', actor.user.name],
    ['Restarted the service cron.service', 'done', actor.user.name],
  ])
  expect(await show(stranger)).toEqual([['Deleted the server', 'done', stranger.user.name]])
  // A guest sees in Activity what their grants reach, and so here.
  expect(await show(await team.join('guest'))).toEqual([])
})
