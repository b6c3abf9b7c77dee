/** Runs next-auth's own handler inside this process, so that a server action signs in exactly as an HTTP route would. */
import 'server-only'
import { parseSetCookie, type ResponseCookie } from '@edge-runtime/cookies'
import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth, { type AuthOptions } from 'next-auth'
import { describeCookie } from './cookie'

type Texts = Record<string, string>
type Asked = { method: 'GET' | 'POST'; path: string; cookies?: Texts; body?: Texts; search?: Texts }
/** location: where next-auth would redirect to. */
type Reply = { body: unknown; cookies: ResponseCookie[]; location: string | null }

/**
 * A sign-in with the credentials provider `provider`. Returns the session cookie that next-auth sets, or null if it refused. As a browser
 * does, it first gets a token against forged requests, which then has to match; the browser gets neither that nor any other cookie.
 */
export async function runSignIn(provider: string, options: AuthOptions): Promise<ResponseCookie | null> {
  const reply = await post(`callback/${provider}`, {}, options)
  return reply.cookies.find(({ name }) => name === describeCookie('session').name) ?? null
}

/**
 * The beginning of a sign-in with an OAuth provider: the address at the provider, and the cookies that its answer is checked against. Null
 * if the provider did not respond. `back`: a path.
 */
export async function runStart(provider: string, back: string, options: AuthOptions) {
  const { location, cookies } = await post(`signin/${provider}`, { callbackUrl: back }, options)
  const checks = cookies.filter(({ name }) => name !== describeCookie('csrf').name)
  const started = checks.some(({ name }) => name === describeCookie('state').name)
  return started && location !== null ? { location, cookies: checks } : null
}

/** What an OAuth provider sent the browser back with. Also clears the cookies that the answer was checked against. */
export async function runCallback(provider: string, { search, cookies }: { search: Texts; cookies: Texts }, options: AuthOptions) {
  const reply = await ask({ method: 'GET', path: `callback/${provider}`, search, cookies }, options)
  return { location: reply.location, cookies: reply.cookies }
}

async function post(path: string, body: Texts, options: AuthOptions): Promise<Reply> {
  const csrf = await ask({ method: 'GET', path: 'csrf' }, options)
  const cookies = Object.fromEntries(csrf.cookies.map(({ name, value }) => [name, value]))
  return ask({ method: 'POST', path, cookies, body: { ...body, csrfToken: tokenOf(csrf.body) } }, options)
}

const tokenOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'csrfToken' in body && typeof body.csrfToken === 'string' ? body.csrfToken : ''

/** next-auth uses only these members of a request and a response of the Pages Router, the form in which both can be passed to it. */
async function ask({ method, path, cookies = {}, body = {}, search = {} }: Asked, options: AuthOptions): Promise<Reply> {
  const headers: Partial<Record<string, string | string[]>> = {}
  const reply: Reply = { body: null, cookies: [], location: null }
  const request = { method, body, cookies, headers: {}, query: { ...search, nextauth: path.split('/') } }
  const keepBody = (sent?: unknown) => {
    reply.body = sent ?? null
  }
  const response = {
    status: () => response,
    getHeader: (name: string) => headers[name.toLowerCase()],
    setHeader: (name: string, value: string | string[]) => {
      headers[name.toLowerCase()] = value
      return response
    },
    send: keepBody,
    json: keepBody,
    end: () => response,
  }
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, options)
  reply.cookies = [headers['set-cookie'] ?? []].flat().flatMap((line) => parseSetCookie(line) ?? [])
  reply.location = [headers.location ?? []].flat()[0] ?? null
  return reply
}
