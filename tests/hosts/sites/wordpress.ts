/** Visits apps on a lab host as a browser does, and signs in to WordPress. */
import { request } from 'node:http'
import type { Host } from '../lab/lab'

export type Page = { status: number; text: string; location: string; cookies: string[] }

/** A request as a browser makes it. form: sent by POST. auth: of the header Authorization. */
export function ask(
  host: Host,
  domain: string,
  path: string,
  { form, cookies = [], auth }: { form?: Record<string, string>; cookies?: string[]; auth?: string } = {},
) {
  return new Promise<Page>((resolve, reject) => {
    const body = form && new URLSearchParams(form).toString()
    const headers = {
      host: domain,
      cookie: cookies.join('; '),
      ...(auth !== undefined && { authorization: auth }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
    }
    const asked = request({ host: host.ip, path, method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          location: reply.headers.location ?? '',
          cookies: (reply.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? ''),
        }),
      )
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

/** The first page of the administration, or where WordPress leads somebody whose password is wrong. */
export async function signInToWordPress(host: Host, domain: string, password: string): Promise<Page> {
  const shown = await ask(host, domain, '/wp-login.php')
  const form = { log: 'admin', pwd: password, 'wp-submit': 'Log In', redirect_to: `http://${domain}/wp-admin/`, testcookie: '1' }
  const entered = await ask(host, domain, '/wp-login.php', { form, cookies: shown.cookies })
  return ask(host, domain, '/wp-admin/index.php', { cookies: entered.cookies })
}
