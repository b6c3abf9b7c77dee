/** Every route and action of the build, for every user without permission, with everything that a request may contain. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import type { Role } from '@/lib/portal/identity/actor'
import { type ActionAnswer, callAction, codeOf, isRefused } from './action-call'
import type { Estate } from './estate'
import { absentId } from './ids'
import { lapses } from './lapses'
import { fewPayloads, payloads } from './payloads'
import { actions, ownActions, routes } from './surface'
import { expectNoEffect, expectOnlyReads, isHealthCheck } from './traces'

/** lapsed: refused before a form or an id is read, so that a few payloads and addresses are enough. */
type Actor = { who: string; cookie: string | undefined; signedIn: boolean; lapsed?: true }

async function gatherActors(estate: Estate): Promise<Actor[]> {
  const lapsed = Object.entries(lapses).map(async ([who, lose]): Promise<Actor> => {
    const person = await estate.join('ours', 'owner')
    await lose(person)
    return { who, cookie: person.cookie, signedIn: false, lapsed: true }
  })
  return [
    { who: 'no cookie', cookie: undefined, signedIn: false },
    ...(await Promise.all(lapsed)),
    { who: 'another team', cookie: (await estate.join('theirs', 'owner')).cookie, signedIn: true },
    { who: 'viewer', cookie: (await estate.join('ours', 'viewer')).cookie, signedIn: true },
  ]
}

/** Actions that only redirect, and where to. */
const redirecting: Record<string, string> = { signOut: '/sign-in', startOver: '/sign-in', leave: '/invite', signInAfresh: '/sign-in' }

/** Whether it concerns only the actor's own session, which they may end, or the second factor that they have to set up. */
function mayAct(name: string, { who, signedIn, lapsed }: Actor): boolean {
  if (ownActions.has(name) && signedIn) return true
  if (name in redirecting && lapsed && who !== 'revoked') return true
  return /^(start|confirm)FirstAuthenticator$/.test(name) && who === setUpDue
}

/** The lapse of somebody who has to set up a second factor, on a separate page. */
const setUpDue = 'second factor not set up'

/** Actions that answer everybody alike, so that they reveal nothing. */
const answersAll = new Set(['forgot'])

/** An attempt to sign in counts, and is logged. */
function mayLeave(name: string): RegExp | undefined {
  if (/ (startPasskeySignIn|signInAgainWithPasskey)$/.test(name)) return /^(gone: )?\["(SignInThrottle|PasskeyChallenge)"/
  return / signIn(Again)?$/.test(name) ? /^(gone: )?\["SignInThrottle"|"session.signIn".*"event","failed"/ : undefined
}

/** Answers everybody the same: a challenge that only the passkey of a member can use. */
const isOpenQuestion = (name: string, answer: ActionAnswer): boolean =>
  name === 'startPasskeySignIn' && codeOf(answer) === 'ok' && /"allowCredentials":\[\]/.test(JSON.stringify(answer.value))

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
  const fill = (id: string) => pathOf(route, { serverId: id, jobId: id, batchId: id, memberId: id, id, '...nextauth': id })
  const forged = route.includes('[') ? [absentId, ...hostileIds].map(fill) : []
  if (route === '/api/auth/[...nextauth]') right.push(...doors.map(fill))
  if (route !== '/api/operations/[id]') return { right: [pathOf(route), ...right], forged }
  const changing = operations.filter(({ effect }) => effect !== 'read').map(({ id }) => `${fill(id)}?server=${serverId}&site=${siteId}`)
  const absent = operations.map(({ id }) => `${fill(id)}?server=${absentId}&site=${absentId}`)
  return { right: [], forged: [...forged, ...changing, ...absent] }
}

export function matrix(estate: Estate): void {
  const { caller } = estate
  let gathered: Promise<Actor[]> | undefined
  const actorsNow = async () => {
    gathered ??= gatherActors(estate)
    const actors = await gathered
    for (const { who, cookie, signedIn } of actors) {
      const { status } = await caller.call('/api/jobs', { cookie })
      // A session that does not work would be refused everywhere, and prove nothing.
      expect([who, status]).toEqual([who, signedIn ? 200 : 401])
    }
    return actors
  }

  test('security 23: the lists below name every route and every action of the build', () => {
    expect([...estate.routes].sort()).toEqual(Object.keys(routes).sort())
    expect([...estate.actions.keys()].sort()).toEqual(Object.keys(actions).sort())
  })

  test.each(Object.entries(actions))('security 23: %s is refused without permission, whatever is sent', async (key, fieldsOf) => {
    const name = key.split(' ').at(-1) ?? ''
    const action = estate.action(name)
    const actors = (await actorsNow()).filter((actor) => !mayAct(name, actor))
    await expectNoEffect(
      estate,
      async () => {
        for (const { who, cookie, lapsed } of actors) {
          const all = payloads(fieldsOf(estate))
          for (const [what, args] of lapsed ? fewPayloads.map((what) => [what, all[what] ?? []] as const) : Object.entries(all)) {
            const answer = await callAction(caller, action, args, { cookie })
            const place = redirecting[name]
            const refused =
              place === undefined
                ? answersAll.has(name) || isRefused(answer) || isOpenQuestion(name, answer)
                : answer.leadsTo?.startsWith(place) || answer.status >= 400
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
    const actors = (await actorsNow()).filter(({ signedIn }) => !signedIn)
    const { right, forged } = addressesOf(estate, route)
    await expectNoEffect(estate, async () => {
      for (const { who, cookie, lapsed } of actors) {
        for (const path of lapsed ? [...right.slice(0, 2), ...forged.slice(0, 2)] : [...right, ...forged]) {
          const { status, headers, text } = await caller.call(path, { cookie })
          if (who !== setUpDue || route !== '/sign-in/set-up')
            for (const mark of estate.marks) expect([who, path, mark, text.includes(mark)]).toEqual([who, path, mark, false])
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
    const actors = (await actorsNow()).filter(({ signedIn }) => signedIn)
    const { right, forged } = addressesOf(estate, route)
    const { calls } = estate.teams.ours.upstream
    await expectOnlyReads(estate, async () => {
      for (const { who, cookie } of actors) {
        const before = calls.length
        for (const path of [...right, ...forged]) {
          const { status, text } = await caller.call(path, { cookie })
          if (who === 'another team')
            for (const mark of estate.marks) expect([path, mark, text.includes(mark)]).toEqual([path, mark, false])
          if (route.startsWith('/api/') && forged.includes(path))
            expect([who, path.slice(0, 200), [400, 404, 405].includes(status)]).toEqual([who, path.slice(0, 200), true])
          if (route.startsWith('/api/') && !route.startsWith('/api/health'))
            expect([path.slice(0, 200), status < 500]).toEqual([path.slice(0, 200), true])
        }
        if (who === 'another team') expect(calls.slice(before).filter((call) => !isHealthCheck(call))).toEqual([])
      }
    })
  })

  test('security 23: every page and answer is there for each role, but what only those who change may open', async () => {
    const asked = Object.keys(routes).filter((route) => routes[route] !== 'open' && !/\/(events|file)$/.test(route))
    const queries: Readonly<Record<string, string>> = {
      '/api/operations/[id]': `?server=${estate.serverId}`,
      '/api/batch-offers': '?of=site',
      '/api/domain-check': '?domain=first.example',
      '/reach': `?of=site&id=${estate.siteId}`,
      '/api/reach/csv': `?of=site&id=${estate.siteId}`,
    }
    const addressOf = (route: string) => `${estate.pathOf(route)}${queries[route] ?? ''}`
    const elsewhere = async (role: Role) => {
      const { cookie } = await estate.join('ours', role)
      const answers = await Promise.all(
        asked.map(async (route) => [route, (await caller.call(addressOf(route), { cookie })).status] as const),
      )
      return Object.fromEntries(answers.filter(([, status]) => status !== 200))
    }
    // Only a member's own connection is lent, and has a page; nothing waits for a second person.
    const absent = { '/api/approvals/[heldId]/csv': 404, '/approvals/[heldId]': 404, '/keys/[connectionId]': 404 }
    for (const role of ['owner', 'admin'] as const) expect([role, await elsewhere(role)]).toEqual([role, absent])
    // Only who changes the team traces a member, sees who reaches a site and keeps the team's channels, and viewers take nothing away.
    const changing = { '/api/reach/csv': 404, '/reach': 404, '/team/[memberId]': 404, '/team/channels': 404 }
    const tracing = { ...absent, ...changing }
    expect(await elsewhere('operator')).toEqual(tracing)
    expect(await elsewhere('viewer')).toEqual({ ...tracing, '/api/activity/csv': 403 })
  })
}
