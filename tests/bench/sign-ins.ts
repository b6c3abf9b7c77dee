/** A hundred sign-ins at once, and what everybody else waits meanwhile. */
import { request } from 'node:http'
import { encodeArguments, Form } from '../browser/security/action-call'
import type { Estate } from '../browser/security/estate'
import { type Figure, quantile } from './figure'
import { runSteadily, type Target } from './load'
import { addMembers, password } from './members'
import type { Section } from './report'

const count = 100

type Signing = { body: Uint8Array; headers: Record<string, string> }

/** The whole request of a sign-in from a separate address, as a proxy reports it. Made before, so that the bench costs nothing meanwhile. */
async function prepare({ caller, action }: Estate, email: string, index: number): Promise<Signing> {
  const { body, contentType } = await encodeArguments([null, new Form({ email, password })])
  const from = { 'x-forwarded-for': `198.51.100.${index + 1}`, host: new URL(caller.origin).host, origin: caller.origin }
  return { body, headers: { ...from, 'next-action': action('signIn').id, 'content-type': contentType, accept: 'text/x-component' } }
}

/** Sends it over a separate connection. Resolves with whether it succeeded and how long it took, in ms. */
function send(port: number, { body, headers }: Signing): Promise<{ done: boolean; ms: number }> {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, path: '/sign-in', method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      const done = (answer.headers['set-cookie'] ?? []).some((line) => line.includes('session='))
      answer.once('end', () => resolve({ done, ms: performance.now() - since }))
    })
    sending.once('error', reject)
    sending.end(body)
  })
}

/** The estate must trust 127.0.0.1 as a proxy. */
export async function measureSignIns(estate: Estate): Promise<Section> {
  const reading: Target = {
    name: 'read',
    port: estate.place.port,
    path: `/api/operations/servers.summary?server=${estate.serverId}`,
    headers: { cookie: estate.owner.cookie, host: `localhost:${estate.place.port}` },
  }
  const read = async (seconds: number) => (await runSteadily([reading], 50, seconds)).get('read') ?? []
  const emails = await addMembers(estate, count)
  const signings = await Promise.all(emails.map((email, index) => prepare(estate, email, index)))
  await read(10)
  const quiet = await read(10)
  const [meanwhile, signedIn] = await Promise.all([read(10), Promise.all(signings.map((each) => send(estate.place.port, each)))])
  const done = signedIn.filter((each) => each.done).map(({ ms }) => ms)
  const figures: Figure[] = [
    { what: 'signed in of 100', value: done.length, unit: '', target: count, floor: count, more: true },
    { what: 'the last of them after', value: Math.max(...done), unit: 'ms' },
    { what: 'other reads, p99, nobody signing in', value: quantile(quiet, 0.99), unit: 'ms' },
    { what: 'other reads, p99, meanwhile', value: quantile(meanwhile, 0.99), unit: 'ms', target: 100, floor: 200 },
  ]
  const how = 'A hundred members sign in with their passwords in the same moment, while the owner reads a summary 50 times a second.'
  return { title: 'A hundred sign-ins', how, figures }
}
