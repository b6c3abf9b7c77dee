/** Every route and action of the build, for every user without permission, with everything that a request may contain. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { type ActionAnswer, callAction, codeOf } from './action-call'
import { type Estate, person } from './estate'
import { absentId } from './ids'
import { payloads } from './payloads'
import { expectNoEffect, expectOnlyReads } from './traces'

/** page: redirects to the sign-in page without a session. answer: answers 401. open: the same for everybody. */
const routes: Record<string, 'page' | 'answer' | 'open'> = {
  '/': 'page',
  '/account': 'page',
  '/activity': 'page',
  '/jobs': 'page',
  '/jobs/[jobId]': 'page',
  '/keys': 'page',
  '/keys/new': 'page',
  '/servers': 'page',
  '/servers/[serverId]': 'page',
  '/servers/[serverId]/backups': 'page',
  '/servers/[serverId]/cron': 'page',
  '/servers/[serverId]/firewall': 'page',
  '/servers/[serverId]/settings': 'page',
  '/servers/[serverId]/users': 'page',
  '/servers/[serverId]/install': 'page',
  '/servers/[serverId]/logs': 'page',
  '/servers/[serverId]/mail': 'page',
  '/servers/new': 'page',
  '/recover': 'open',
  '/setup': 'open',
  '/sign-in': 'open',
  '/_global-error': 'open',
  '/_not-found': 'open',
  '/500': 'open',
  '/icon.svg': 'open',
  '/api/activity/csv': 'answer',
  '/api/auth/[...nextauth]': 'open',
  '/api/counts': 'answer',
  '/api/health': 'open',
  '/api/home': 'answer',
  '/api/jobs': 'answer',
  '/api/jobs/[jobId]': 'answer',
  '/api/jobs/[jobId]/events': 'answer',
  '/api/operations/[id]': 'answer',
  '/api/palette': 'answer',
  '/api/servers': 'answer',
  '/api/servers/[serverId]/history': 'answer',
}

/** The fields of each action, as correct as a user without permission could make them; an id comes first. */
const actions: Record<string, (estate: Estate) => Record<string, string>> = {
  'app/(portal)/account/actions.ts changePassword': () => ({ current: person.password, password: 'a password long enough' }),
  'app/(portal)/account/actions.ts endOtherSessions': () => ({ sessionId: absentId }),
  'app/(portal)/account/actions.ts endSession': ({ owner }) => ({ sessionId: owner.sessionId }),
  'app/(portal)/account/actions.ts rename': () => ({ name: 'Renamed by somebody else' }),
  'app/(portal)/(home)/actions.ts saveFirstStepsHidden': () => ({ hidden: 'yes' }),
  'app/(portal)/actions.ts signOut': () => ({ serverId: absentId }),
  // In their own team, members of another team may add what they like, but not with an address that nobody may use.
  'app/(portal)/keys/actions.ts addConnection': () => ({ address: 'http://169.254.169.254/', ...newKey, keeper: 'team' }),
  'app/(portal)/keys/actions.ts checkConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId }),
  'app/(portal)/keys/actions.ts removeConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId, confirmName: 'Ours' }),
  'app/(portal)/keys/actions.ts renameConnection': ({ teams }) => ({ connectionId: teams.ours.connectionId, label: 'planted' }),
  'app/(portal)/keys/actions.ts replaceKey': ({ teams }) => ({ connectionId: teams.ours.connectionId, ...newKey, confirmName: 'Ours' }),
  'app/(portal)/servers/[serverId]/actions.ts deleteServer': ({ serverId, serverName }) => ({ serverId, confirmName: serverName }),
  'app/(portal)/servers/[serverId]/actions.ts installServer': ({ serverId }) => ({ serverId }),
  'app/(portal)/servers/[serverId]/actions.ts askHostKeyAgain': ({ serverId }) => ({ serverId, user: 'root', pass: 'x', host_key: 'ask' }),
  'app/(portal)/servers/[serverId]/actions.ts resetKey': ({ serverId, serverName }) => ({
    serverId,
    user: 'root',
    pass: 'x',
    confirmName: serverName,
  }),
  'app/(portal)/servers/[serverId]/actions.ts runConfirmed': ({ serverId, serverName }) => ({
    serverId,
    operation: 'servers.reboot',
    confirmName: serverName,
  }),
  'app/(portal)/servers/[serverId]/actions.ts setHostname': ({ serverId }) => ({ serverId, hostname: 'planted.example.net' }),
  'app/(portal)/servers/[serverId]/actions.ts stopFollowing': ({ jobId }) => ({ jobId }),
  'app/(portal)/servers/[serverId]/actions.ts updateServer': ({ serverId }) => ({ serverId, name: 'planted', dns: 'planted' }),
  'app/(portal)/servers/[serverId]/backups/actions.ts deleteBackups': ({ serverId }) => ({
    serverId,
    ids: '["server-2026-11-20.tar.zst"]',
    confirmName: '1',
  }),
  'app/(portal)/servers/[serverId]/cron/actions.ts deleteCronJob': ({ serverId }) => ({ serverId, ...cronJob, line: '7' }),
  'app/(portal)/servers/[serverId]/cron/actions.ts replaceCronJob': ({ serverId }) => ({ serverId, ...cronJob, ...oldCronJob }),
  'app/(portal)/servers/[serverId]/cron/actions.ts saveCronJob': ({ serverId }) => ({ serverId, ...cronJob, command: 'planted' }),
  'app/(portal)/servers/[serverId]/firewall/actions.ts deleteFirewallRule': ({ serverId }) => ({
    serverId,
    rules: JSON.stringify([firewallRule]),
  }),
  'app/(portal)/servers/[serverId]/firewall/actions.ts saveFirewallRule': ({ serverId }) => ({ serverId, ...openPort }),
  'app/(portal)/servers/[serverId]/firewall/actions.ts toggleFirewall': ({ serverId }) => ({ serverId, status: '0' }),
  'app/(portal)/servers/[serverId]/users/actions.ts deleteSystemUser': ({ serverId }) => ({
    serverId,
    user: 'deploy',
    confirmName: 'deploy',
  }),
  'app/(portal)/servers/[serverId]/users/actions.ts saveSystemUser': ({ serverId }) => ({
    serverId,
    user: 'deploy',
    pass: 'planted, and long',
  }),
  'app/(portal)/servers/[serverId]/mail/actions.ts deleteMessages': ({ serverId }) => ({ serverId, ids: '["4Xk2"]', confirmName: '1' }),
  'app/(portal)/servers/actions.ts changeServerLabels': ({ serverId }) => ({ ids: serverId, label: 'planted', change: 'add' }),
  'app/(portal)/servers/actions.ts createSandbox': ({ teams }) => ({ connectionId: teams.ours.connectionId }),
  'app/(portal)/servers/new/actions.ts askHostKey': ({ teams }) => ({ connectionId: teams.ours.connectionId, ...login, host_key: 'ask' }),
  'app/(portal)/servers/new/actions.ts createServer': ({ teams }) => ({ connectionId: teams.ours.connectionId, ...login }),
  'app/_shared/session/actions.ts signInAgain': () => ({ email: 'nobody@lanternworks.test', password: 'not the password' }),
  'app/_shared/undo/actions.ts undoChange': ({ undoId }) => ({ undoId }),
  'app/_shared/preferences/actions.ts savePreferences': () => ({ theme: 'dark', density: 'compact', timeZone: 'UTC' }),
  'app/(public)/recover/actions.ts recover': () => ({ token: 'A'.repeat(43), password: 'a password long enough' }),
  'app/(public)/setup/actions.ts setUp': () => ({ token: 'A'.repeat(43), ...person, teamName: 'Taken over', apiKey: 'k'.repeat(20) }),
  'app/(public)/sign-in/actions.ts signIn': () => ({ email: 'nobody@lanternworks.test', password: 'not the password' }),
}

/** Every signed-in user may use what concerns only themselves. */
const ownActions = new Set(['signOut', 'rename', 'changePassword', 'endOtherSessions', 'savePreferences', 'saveFirstStepsHidden'])

const newKey = { label: 'planted', apiKey: 'k'.repeat(20) }

/** The job that every server of the test upstream has. */
const cronJob = { minute: '*/5', hour: '*', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/true' }

/** The rule that every server of the test upstream has. */
const firewallRule = { id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW', from: 'Anywhere' }

const openPort = { action: 'allow', from: 'any', port: '4711', protocol: 'tcp' }

const oldCronJob = { 'old.line': '7', ...Object.fromEntries(Object.entries(cronJob).map(([name, value]) => [`old.${name}`, value])) }

const login = {
  provider: 'custom',
  dns: 'None',
  name: 'planted',
  host: '192.0.2.66',
  user: 'root',
  pass: 'x',
  port: '22',
  region: '',
  type: '',
}

type Actor = { who: string; cookie: string | undefined; signedIn: boolean }

async function gatherActors(estate: Estate): Promise<Actor[]> {
  const revoked = await estate.join('ours', 'owner')
  await db().session.update({ where: { id: revoked.sessionId }, data: { revokedAt: new Date() } })
  const actors = [
    { who: 'no session', cookie: undefined, signedIn: false },
    { who: 'revoked', cookie: revoked.cookie, signedIn: false },
    { who: 'another team', cookie: (await estate.join('theirs', 'owner')).cookie, signedIn: true },
    { who: 'viewer', cookie: (await estate.join('ours', 'viewer')).cookie, signedIn: true },
  ]
  // A session that does not work would be refused everywhere, and prove nothing.
  for (const { who, cookie, signedIn } of actors) {
    const { status } = await estate.caller.call('/api/jobs', { cookie })
    expect([who, status]).toEqual([who, signedIn ? 200 : 401])
  }
  return actors
}

const refusals = new Set(['signed_out', 'forbidden', 'not_found', 'invalid', 'too_many', 'address_refused'])

const isRefused = (answer: ActionAnswer): boolean => {
  const code = codeOf(answer)
  return code === null ? answer.status >= 400 : refusals.has(code)
}

/** An attempt to sign in counts, and is logged. */
const mayLeave = (name: string): RegExp | undefined =>
  / signIn(Again)?$/.test(name) ? /^(gone: )?\["SignInThrottle"|"session.signIn".*"event","failed"/ : undefined

const hostileIds = ['__proto__', 'constructor', '..%2f..%2fservers', '%00', '%7B%22not%22%3Anull%7D', 'a,b', 'x'.repeat(12_000)]

const queriesOf = ({ serverId, siteId }: Estate) => [
  '?role=owner&ownerId=1&teamId=1&__proto__[role]=owner&constructor[prototype][role]=owner',
  `?server[not]=null&serverId[not]=&site[]=${siteId}`,
  `?server=${serverId}&server=${serverId}&site=${siteId}`,
  `?server=${'x'.repeat(12_000)}&token=${'x'.repeat(500)}`,
  '?token[]=a&token=b&token=c&provider=__proto__',
]

const doors = [
  'csrf',
  'session',
  'providers',
  'signin',
  'signin/credentials',
  'signout',
  'callback/credentials',
  'error',
  '_log',
  '__proto__',
]

/** A route's addresses: with the first team's ids, with missing and with hostile ones, each operation and auth address by its name. */
function addressesOf(estate: Estate, route: string): { right: string[]; forged: string[] } {
  const { pathOf, serverId, siteId } = estate
  const right = queriesOf(estate).map((query) => `${pathOf(route)}${query}`)
  const fill = (id: string) => pathOf(route, { serverId: id, jobId: id, id, '...nextauth': id })
  const forged = route.includes('[') ? [absentId, ...hostileIds].map(fill) : []
  if (route === '/api/auth/[...nextauth]') right.push(...doors.map(fill))
  if (route !== '/api/operations/[id]') return { right: [pathOf(route), ...right], forged }
  const changing = operations.filter(({ effect }) => effect !== 'read').map(({ id }) => `${fill(id)}?server=${serverId}&site=${siteId}`)
  const absent = operations.map(({ id }) => `${fill(id)}?server=${absentId}&site=${absentId}`)
  return { right: [], forged: [...forged, ...changing, ...absent] }
}

export function matrix(estate: Estate): void {
  const { caller } = estate

  test('security 23: the lists below name every route and every action of the build', () => {
    expect([...estate.routes].sort()).toEqual(Object.keys(routes).sort())
    expect([...estate.actions.keys()].sort()).toEqual(Object.keys(actions).sort())
  })

  test.each(Object.entries(actions))('security 23: %s is refused without permission, whatever is sent', async (key, fieldsOf) => {
    const name = key.split(' ').at(-1) ?? ''
    const action = estate.action(name)
    const actors = (await gatherActors(estate)).filter(({ signedIn }) => !ownActions.has(name) || !signedIn)
    await expectNoEffect(
      estate,
      async () => {
        for (const { who, cookie } of actors) {
          for (const [what, args] of Object.entries(payloads(fieldsOf(estate)))) {
            const answer = await callAction(caller, action, args, { cookie })
            const refused = name === 'signOut' ? answer.leadsTo?.startsWith('/sign-in') || answer.status >= 400 : isRefused(answer)
            const said = { who, what, status: answer.status, value: answer.value }
            expect({ ...said, refused }).toEqual({ ...said, refused: true })
            expect([who, what, answer.headers['set-cookie']?.join().match(/session=[^;]/) ?? null]).toEqual([who, what, null])
          }
        }
      },
      mayLeave(key),
    )
  })

  test.each(Object.entries(routes))('security 23: %s (%s) shows and changes nothing without a session', async (route, kind) => {
    const actors = (await gatherActors(estate)).filter(({ signedIn }) => !signedIn)
    const { right, forged } = addressesOf(estate, route)
    await expectNoEffect(estate, async () => {
      for (const { who, cookie } of actors) {
        for (const path of [...right, ...forged]) {
          const { status, headers, text } = await caller.call(path, { cookie })
          for (const mark of estate.marks) expect([who, path, text.includes(mark)]).toEqual([who, path, false])
          const lost = status === 400 || status === 404
          if (kind === 'answer' && !lost) expect([who, path, status]).toEqual([who, path, 401])
          if (kind === 'page' && !lost)
            expect([who, path, status, headers.location]).toEqual([who, path, 307, expect.stringMatching(/^\/sign-in(\?back=[\w%.~-]+)?$/)])
          if (right.includes(path) && kind !== 'open') expect([who, path, lost]).toEqual([who, path, false])
        }
      }
    })
  })

  test.each(Object.keys(routes))('security 23: %s shows another team nothing, and a forged request shows nobody more', async (route) => {
    const actors = (await gatherActors(estate)).filter(({ signedIn }) => signedIn)
    const { right, forged } = addressesOf(estate, route)
    const { calls } = estate.teams.ours.upstream
    await expectOnlyReads(estate, async () => {
      for (const { who, cookie } of actors) {
        const before = calls.length
        for (const path of [...right, ...forged]) {
          const { status, text } = await caller.call(path, { cookie })
          if (who === 'another team') for (const mark of estate.marks) expect([path, text.includes(mark)]).toEqual([path, false])
          if (route.startsWith('/api/') && forged.includes(path))
            expect([who, path.slice(0, 200), [400, 404, 405].includes(status)]).toEqual([who, path.slice(0, 200), true])
          if (route.startsWith('/api/') && route !== '/api/health')
            expect([path.slice(0, 200), status < 500]).toEqual([path.slice(0, 200), true])
        }
        if (who === 'another team') expect(calls.slice(before)).toEqual([])
      }
    })
  })
}
