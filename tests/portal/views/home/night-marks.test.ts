import { expect, test } from 'vitest'
import { eventOfJob, eventOfOutage, eventOfSignIn, markEvents } from '@/lib/portal/views/home/night-marks'

const at = (time: string) => new Date(`2026-11-27T${time}Z`)
const job = (operation: string, state: string, time: string, targetName = 'web-1') => ({
  id: `${operation} ${targetName}`,
  operation,
  state,
  targetName,
  endedAt: at(time),
})
const marks = (...jobs: ReturnType<typeof job>[]) =>
  markEvents(
    jobs.flatMap((one) => eventOfJob(one) ?? []),
    'Europe/Berlin',
  )

test('what happened once is a mark with its name that leads to its page', () => {
  expect(marks(job('event.reboot', 'done', '03:10:00'), job('event.backup', 'done', '01:14:00'))).toEqual([
    {
      key: expect.any(String),
      kind: 'backup',
      at: '2026-11-27T01:14:00.000Z',
      until: '2026-11-27T01:14:00.000Z',
      count: 1,
      title: 'Nightly backup of web-1',
      names: '',
      href: '/jobs/event.backup web-1',
    },
    expect.objectContaining({ kind: 'reboot', title: 'Reboot of web-1' }),
  ])
})

test('what is alike within a quarter of an hour is one mark with names, which leads to all of that day where the reader is', () => {
  const [mark, ...others] = marks(
    job('event.backup', 'done', '23:01:00', 'web-1'),
    job('event.backup', 'done', '23:14:00', 'web-2'),
    job('event.backup', 'done', '23:16:00', 'web-3'),
  )
  expect(others).toHaveLength(1)
  expect(mark).toMatchObject({ count: 2, title: '2 nightly backups', names: 'web-1 and web-2', until: '2026-11-27T23:14:00.000Z' })
  expect(mark?.href).toBe('/jobs?kind=event.backup&outcome=done&from=2026-11-28&to=2026-11-28')
})

test('a server that did the same twice is one server', () => {
  const twice = ['01:01:00', '01:02:00'].map((time) => job('event.updates', 'done', time))
  expect(marks(...twice)).toMatchObject([{ count: 2, title: 'Automatic updates on 1 server', names: 'web-1' }])
})

test('what failed or whose outcome is open is a failure, never a mark among those that succeeded', () => {
  const shown = marks(
    job('event.backup', 'done', '01:01:00', 'web-1'),
    job('event.backup', 'failed', '01:02:00', 'web-2'),
    job('servers.applyUpdates', 'interrupted', '01:03:00'),
    job('sites.create', 'unknown', '01:04:00', 'shop.example'),
    job('sites.delete', 'failed', '01:05:00', 'a.example'),
    job('sites.delete', 'failed', '01:06:00', 'b.example'),
  ).map(({ kind, title }) => [kind, title])
  expect(shown).toEqual([
    ['backup', 'Nightly backup of web-1'],
    ['failure', 'Nightly backup of web-2 failed.'],
    ['failure', 'Install updates on web-1 was interrupted.'],
    ['failure', 'Create shop.example ended with an unknown outcome.'],
    ['failure', '2 jobs failed: Delete a site'],
  ])
})

test('what runs, was cancelled or succeeded without being work of the night is not shown', () => {
  const open = { ...job('event.backup', 'running', '01:00:00'), endedAt: null }
  expect([open, job('sites.create', 'done', '01:00:00'), job('backups.create', 'cancelled', '01:00:00')].map(eventOfJob)).toEqual([
    null,
    null,
    null,
  ])
})

test('a thousand servers with something every minute are marks of an hour', () => {
  const jobs = Array.from({ length: 3_000 }, (_, place) => {
    const minute = place % 600
    const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`
    return job(['event.backup', 'event.updates', 'event.renewal'][place % 3] ?? '', 'done', time, `web-${place}`)
  })
  const shown = marks(...jobs)
  expect(shown).toHaveLength(30)
  expect(shown.reduce((sum, { count }) => sum + count, 0)).toBe(3_000)
})

test('outages and sign-ins are named; those of one member are one mark', () => {
  const signIn = (userId: string, time: string) =>
    eventOfSignIn({ userId, name: 'Robin', device: 'Firefox on Linux', at: at(time), isOwn: userId === 'me' })
  const events = [
    eventOfOutage({ serverId: 's', name: 'web-1', at: at('02:00:00'), isBack: false }),
    eventOfOutage({ serverId: 's', name: 'web-1', at: at('02:05:00'), isBack: true }),
    signIn('me', '02:10:00'),
    signIn('r', '02:11:00'),
    signIn('r', '02:12:00'),
  ]
  expect(markEvents(events, 'UTC').map(({ kind, title, href }) => [kind, title, href])).toEqual([
    ['outage', 'web-1 became unreachable.', '/servers/s'],
    ['outage', 'web-1 is reachable again.', '/servers/s'],
    ['signIn', 'You signed in from a new browser: Firefox on Linux.', '/account'],
    ['signIn', 'Robin signed in from 2 new browsers', '/activity?person=r'],
  ])
})
