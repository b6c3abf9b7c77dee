import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import type { JobState, JobView } from '@/lib/portal/jobs/view'
import type { FindingKind } from '@/lib/portal/subjects/findings/findings'
import { findAttention } from '@/lib/portal/views/home/attention'

const now = Date.parse('2026-11-21T12:00:00Z')
const nothing: Parameters<typeof findAttention>[0] = {
  connections: [],
  servers: [],
  findings: [],
  jobs: [],
  batches: [],
  states: new Map(),
  disks: [],
  backups: [],
  mayChange: true,
  now,
}

const server = (id: string, state: string) => ({ id, name: `name of ${id}`, state, addedAt: null })

function job(id: string, serverId: string | null, state: JobState, more: Partial<JobView> = {}): JobView {
  const at = new Date(now - 60_000).toISOString()
  const work = {
    operation: 'servers.install' as const,
    title: `Install name of ${serverId}`,
    targetName: `name of ${serverId}`,
    startedBy: 'Ann',
    isEvent: false,
    cancelledBy: '',
    step: '',
  }
  const unknown = { siteId: null, note: '', credentialsFor: null, problem: null, repeatable: false, newer: null }
  return { id, ...work, ...unknown, serverId, state, progress: 10, startedAt: at, endedAt: at, heardAt: at, eventCount: 1, ...more }
}

const shown = (known: Partial<typeof nothing>) => findAttention({ ...nothing, ...known }).map(({ word, title }) => [word, title])

test('if everything works the list is empty', () => {
  const connections = [{ id: 'c', label: 'Bundled', state: 'working', problem: null, workedAt: null }]
  expect(shown({ connections, jobs: [job('j', 's', 'done')], states: new Map([['s', 'ready']]) })).toEqual([])
})

test('a frozen connection is listed as frozen, also when its key is refused', () => {
  const sentence = 'This connection is frozen: Robin froze it.'
  const connections = [{ id: '1', label: 'Cold', state: 'rejected', problem: problem('key_frozen', { sentence }), workedAt: null }]
  expect(findAttention({ ...nothing, connections })).toMatchObject([{ tone: 'warn', word: 'Frozen', title: 'Cold', says: sentence }])
})

test('a connection that does not answer, or whose key is refused or locked, is listed', () => {
  const connections = [
    { id: '1', label: 'Refused', state: 'rejected', problem: problem('key_rejected'), workedAt: null },
    { id: '2', label: 'Locked', state: 'locked', problem: null, workedAt: null },
    { id: '3', label: 'Away', state: 'working', problem: problem('upstream_unreachable'), workedAt: null },
    { id: '4', label: 'Untried', state: 'untried', problem: null, workedAt: null },
  ]
  expect(shown({ connections })).toEqual([
    ['Key rejected', 'Refused'],
    ['Key locked', 'Locked'],
    ['No answer', 'Away'],
  ])
})

test('a failed install is listed once, for its job rather than its server', () => {
  const known = { servers: [server('s', 'failed')], states: new Map([['s', 'failed']]) }
  expect(shown({ ...known, jobs: [job('j', 's', 'failed')] })).toEqual([['Failed', 'Install name of s']])
  expect(shown(known)).toEqual([['Install failed', 'name of s']])
})

test('only the newest attempt counts, and not once its server is ready or gone', () => {
  const failed = job('old', 's', 'failed')
  expect(shown({ jobs: [job('new', 's', 'running'), failed], states: new Map([['s', 'installing']]) })).toEqual([])
  expect(shown({ jobs: [failed], states: new Map([['s', 'ready']]) })).toEqual([])
  expect(shown({ jobs: [failed] })).toEqual([])
  const old = job('old', 's', 'failed', { endedAt: new Date(now - 8 * 86_400_000).toISOString() })
  expect(shown({ jobs: [old], states: new Map([['s', 'new']]) })).toEqual([])
})

test('interrupted jobs and jobs with an unknown end are listed after failed ones', () => {
  const states = new Map(['a', 'b', 'c'].map((id) => [id, '']))
  const jobs = [job('1', 'a', 'unknown'), job('2', 'b', 'interrupted'), job('3', 'c', 'failed')]
  expect(shown({ jobs, states }).map(([word]) => word)).toEqual(['Failed', 'Unknown', 'Interrupted'])
  // Somebody wanted it.
  expect(shown({ jobs: [job('4', 'a', 'cancelled')], states })).toEqual([])
})

test('a server that is not installed is listed last, unless it is being installed', () => {
  const known = { servers: [server('a', 'new'), server('b', 'new')] }
  const states = new Map([['b', 'new']])
  expect(shown({ ...known, jobs: [job('j', 'b', 'running')], states })).toEqual([['Not installed', 'name of a']])
})

test('thousands of servers with the same problem share a line that names a few and links to all, with one action for them', () => {
  const servers = Array.from({ length: 9_988 }, (_, place) => server(`s${place}`, 'new'))
  const [item, ...others] = findAttention({ ...nothing, servers })
  expect(others).toEqual([])
  expect(item).toMatchObject({ title: '9,988 servers', count: 9_988, href: '/servers?state=new', action: 'View servers' })
  const named = servers.slice(0, 8).map(({ id, name }) => ({ name, note: '', href: `/servers/${id}/install` }))
  expect(item?.members).toEqual(named)
  expect(item?.batch).toEqual({ operation: 'servers.install', noun: 'server', ids: servers.map(({ id }) => id) })
})

test('problems of one cause share a line with the earliest time and what settles all of them; a cause without such an action has none', () => {
  const at = (hour: number) => `2026-11-21T0${hour}:00:00.000Z`
  const finding = (id: string, kind: FindingKind, hour: number, detail = '') => ({ serverId: id, name: id, kind, since: at(hour), detail })
  const items = findAttention({
    ...nothing,
    findings: [
      finding('a', 'reboot_required', 5),
      finding('b', 'reboot_required', 3),
      finding('a', 'failed_units', 4, 'cron.service'),
      finding('b', 'failed_units', 4, 'nginx.service'),
      finding('c', 'unreachable', 4, 'It is off.'),
    ],
  })
  expect(items).toMatchObject([
    { word: 'Unreachable', title: 'c', says: 'It is off.', members: [], batch: null },
    { word: 'Failed units', title: '2 servers', batch: null },
    { word: 'Reboot needed', title: '2 servers', since: at(3), batch: { operation: 'servers.reboot', ids: ['a', 'b'] } },
  ])
  expect(items[1]?.members).toEqual([
    { name: 'a', note: 'cron.service', href: '/servers/a' },
    { name: 'b', note: 'nginx.service', href: '/servers/b' },
  ])
})

test('security updates are listed once servers did not install them for a day and a half', () => {
  const finding = (hours: number) => {
    const since = new Date(now - hours * 3_600_000).toISOString()
    return { serverId: `s${hours}`, name: `s${hours}`, kind: 'security_updates' as const, since, detail: '3' }
  }
  expect(shown({ findings: [finding(35), finding(37)] })).toEqual([['Updates wait', 's37']])
  expect(findAttention({ ...nothing, findings: [finding(37), finding(50)] })).toMatchObject([
    { title: '2 servers', batch: { operation: 'servers.applyUpdates', ids: ['s37', 's50'] } },
  ])
})

test('failed jobs of one operation share a line, and are started again together if that asks for nothing more', () => {
  const reason = problem('upstream_failed', { sentence: 'No space left' })
  const backup = (id: string, siteId: string) =>
    job(id, 'a', 'failed', { operation: 'backups.create', siteId, targetName: `${siteId}.example`, problem: reason, repeatable: true })
  const deletion = (id: string) => job(id, 'a', 'failed', { operation: 'sites.delete', targetName: `${id}.example` })
  const jobs = [backup('1', 'x'), backup('2', 'y'), deletion('3'), deletion('4')]
  const items = findAttention({ ...nothing, jobs, states: new Map([['a', 'ready']]) })
  expect(items.map(({ title, href, batch }) => [title, href, batch])).toEqual([
    ['2 jobs', '/jobs?kind=backups.create&outcome=failed', { operation: 'backups.create', noun: 'site', ids: ['x', 'y'] }],
    ['2 jobs', '/jobs?kind=sites.delete&outcome=failed', null],
  ])
  expect(items[0]?.says).toMatch(/No space left\.$/)
  expect(items[0]?.members).toEqual([
    { name: 'x.example', note: '', href: '/jobs/1' },
    { name: 'y.example', note: '', href: '/jobs/2' },
  ])
})

test('each problem of a server is a line with server, problem, since when and where to fix it, the most urgent first', () => {
  const since = '2026-11-21T10:00:00.000Z'
  const finding = (kind: FindingKind, detail = '') => ({ serverId: kind, name: `web ${kind}`, kind, since, detail })
  const findings = [
    finding('outdated_sites', 'a.example, b.example'),
    finding('reboot_required'),
    finding('firewall_off'),
    finding('foreign_links', 'a.example: media'),
    finding('failing_certificates', 'a.example, b.example, c.example, xn--mnchen-3ya.example'),
    finding('failed_units', 'cron.service, nginx.service'),
    finding('unreachable', 'The server didn’t respond in time.'),
  ]
  const connections = [{ id: '1', label: 'Foreign', state: 'rejected', problem: null, workedAt: since }]
  const items = findAttention({ ...nothing, findings, connections })
  expect(items.map(({ tone, word, title, since: at, href }) => [tone, word, title, at, href])).toEqual([
    ['danger', 'Key rejected', 'Foreign', since, '/keys'],
    ['danger', 'Unreachable', 'web unreachable', since, '/servers/unreachable'],
    ['danger', 'Failed units', 'web failed_units', since, '/servers/failed_units'],
    ['warn', 'Not renewed', 'web failing_certificates', since, '/servers/failing_certificates/sites?ssl=on'],
    ['warn', 'Unsafe links', 'web foreign_links', since, '/servers/foreign_links'],
    ['warn', 'Firewall off', 'web firewall_off', since, '/servers/firewall_off/firewall'],
    ['warn', 'Reboot needed', 'web reboot_required', since, '/servers/reboot_required'],
    ['info', 'Older sites', 'web outdated_sites', since, '/servers/outdated_sites'],
  ])
  expect(items[1]?.says).toBe('The server didn’t respond in time.')
  expect(items[2]?.says).toContain('cron.service, nginx.service')
  expect(items[3]?.says).toBe('The certificates of a.example, b.example, c.example and 1 other could not be renewed.')
  expect(items[7]?.says).toBe('2 sites were set up by an earlier version of Gatehouse and can be brought up to date.')
})

test('a nearly full disk is listed with its share and days, redder the more urgent it is; several share a line with the most urgent tone', () => {
  const disk = (id: string, share: number, days: number | null) => ({ id, name: id, share, days, since: null })
  const shownOf = (...disks: ReturnType<typeof disk>[]) =>
    findAttention({ ...nothing, disks }).map(({ tone, word, title, says }) => [tone, word, title, says])
  const soon = (days: string) => `At the current rate it will be full in about ${days}.`
  expect(shownOf(disk('a', 0.996, null), disk('b', 0.91, 1))).toEqual([
    ['danger', 'Disk full', 'a', '99 % of its disk is in use.'],
    ['danger', 'Disk full soon', 'b', `91 % of its disk is in use. ${soon('a day')}`],
  ])
  expect(shownOf(disk('c', 0.8, 9))).toEqual([['warn', 'Disk full soon', 'c', `80 % of its disk is in use. ${soon('9 days')}`]])
  const [item] = findAttention({ ...nothing, disks: [disk('c', 0.8, 9), disk('b', 0.91, 1)] })
  expect(item).toMatchObject({ tone: 'danger', word: 'Disk full soon', title: '2 servers', batch: null })
  expect(item?.members.map(({ name, note }) => [name, note])).toEqual([
    ['c', '80 %'],
    ['b', '91 %'],
  ])
})

test('whoever may not install is led to the server instead of to a button that is disabled', () => {
  const leads = (mayChange: boolean) =>
    findAttention({ ...nothing, servers: [server('s', 'new')], mayChange }).map(({ href, action }) => [href, action])
  expect(leads(true)).toEqual([['/servers/s/install', 'Install']])
  expect(leads(false)).toEqual([['/servers/s', 'View server']])
})
