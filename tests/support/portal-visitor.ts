/** A person at a running portal, by its forms and without a browser: sets it up, signs in, adds a simulated server. */
import { buildFolder } from '../../lib/launcher/build.mjs'
import { callAction, codeOf, Form } from '../browser/security/action-call'
import { readActions } from '../browser/security/build'
import type { Caller } from '../browser/security/caller'
import { cookieOf } from '../browser/security/estate'

const person = { name: 'Mira Lindqvist', email: 'mira@northwind.test', password: 'a quiet harbour in november' }

export type PortalVisitor = {
  /** The session cookie, as `name=value`; empty while nobody is signed in. */
  cookie(): string
  /** Calls an action by its file and name and resolves with the whole answer. */
  act(name: string, fields: Record<string, string>, page?: string): ReturnType<typeof callAction>
  /** The key is for a portal with an UPSTREAM_URL. */
  setUp(link: string, apiKey?: string): ReturnType<typeof callAction>
  /** Resolves with the link. */
  invite(email: string, role: string): Promise<string>
  /** Accepts an invitation with a new account. */
  join(link: string, name: string): ReturnType<typeof callAction>
  /** True when the portal let the person in. */
  signIn(): Promise<boolean>
  /** Resolves with the new server's id. connectionId: needed where the team or the person has several. */
  addSandbox(name: string, connectionId?: string): Promise<string>
  /** Resolves with the job's id. */
  install(serverId: string): Promise<string>
}

export function createVisitor(caller: Caller): PortalVisitor {
  const actions = readActions(buildFolder())
  let cookie = ''
  const act: PortalVisitor['act'] = async (name, fields, page) => {
    const action = actions.get(name) ?? { id: '', page: '/' }
    return callAction(caller, { ...action, page: page ?? action.page }, [null, new Form(fields)], { cookie: cookie || undefined })
  }
  const enter: PortalVisitor['act'] = async (...how) => {
    const answer = await act(...how)
    cookie = cookieOf(answer)
    return answer
  }
  const done = async (name: string, fields: Record<string, string>): Promise<{ serverId?: string; jobId?: string; link?: string }> => {
    const answer = await act(name, fields)
    if (codeOf(answer) !== 'ok') throw new Error(`${name} was not done: ${answer.status} ${answer.text}`)
    return (answer.value as { data: object }).data
  }
  return {
    cookie: () => cookie,
    act,
    setUp: (link, apiKey) => {
      const { search, searchParams } = new URL(link)
      const fields = {
        token: searchParams.get('token') ?? '',
        teamName: 'Northwind Ops',
        ...(apiKey !== undefined && { apiKey }),
        ...person,
      }
      return enter('app/(public)/setup/actions.ts setUp', fields, `/setup${search}`)
    },
    invite: async (email, role) => (await done('app/(portal)/team/actions.ts inviteMember', { email, role, endsOn: '' })).link ?? '',
    join: (link, name) => {
      const { search, searchParams } = new URL(link)
      const fields = { token: searchParams.get('token') ?? '', name, password: 'three cranes over the estuary' }
      return enter('app/(public)/invite/actions.ts accept', fields, `/invite${search}`)
    },
    signIn: async () => {
      cookie = ''
      await enter('app/(public)/sign-in/actions.ts signIn', { email: person.email, password: person.password })
      return cookie.includes('session')
    },
    addSandbox: async (name, connectionId) => {
      const login = { host: `${name}.test`, port: '22', user: 'root', pass: 'x' }
      const fields = { provider: 'sandbox', dns: 'None', name, region: '', type: '', ...login, ...(connectionId && { connectionId }) }
      return (await done('app/(portal)/servers/actions.ts createServer', fields)).serverId ?? ''
    },
    install: async (serverId) => (await done('app/(portal)/servers/[serverId]/actions.ts installServer', { serverId })).jobId ?? '',
  }
}
