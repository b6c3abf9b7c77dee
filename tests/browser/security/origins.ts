/** Actions requested by pages of other sites. */
import { expect, test } from 'vitest'
import { codeOf, encodeArguments, encodeBareForm, Form, readAnswer } from './action-call'
import type { Sent } from './caller'
import { type Estate, person } from './estate'
import { expectNoEffect, expectOnlyReads } from './traces'

const evil = 'https://evil.example'

/** Headers that replace those of a valid request; an empty value removes the header. */
const disguises: Record<string, Record<string, string>> = {
  'origin of another site': { origin: evil },
  'origin null': { origin: 'null' },
  'no origin': { origin: '' },
  'origin of another port': { origin: 'http://localhost:1' },
  'origin over https': { origin: 'https://localhost' },
  'origin that begins like ours': { origin: 'OURS.evil.example' },
  'two origins': { origin: `OURS, ${evil}` },
  'cross-site': { 'sec-fetch-site': 'cross-site' },
  'same-site': { 'sec-fetch-site': 'same-site' },
  'opened by hand': { 'sec-fetch-site': 'none' },
  'forwarded host': { origin: evil, 'x-forwarded-host': 'evil.example' },
  'forwarded header': { origin: evil, forwarded: 'host=evil.example;proto=https' },
  host: { origin: evil, host: 'evil.example' },
  'host and forwarded host': { origin: evil, host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  'no origin, other referrer': { origin: '', referer: `${evil}/` },
}

type Attempt = { name: string; path: string; sent: Sent; saysCode: boolean }

async function attempts(estate: Estate, cookie: string): Promise<Attempt[]> {
  const { caller, serverId, serverName, teams } = estate
  const fields = {
    serverId,
    confirmName: serverName,
    connectionId: teams.ours.connectionId,
    name: 'planted',
    host: '192.0.2.66',
    user: 'root',
  }
  const form = new Form({
    ...fields,
    provider: 'custom',
    dns: 'None',
    port: '22',
    pass: 'x',
    email: person.email,
    password: person.password,
    token: 'x',
  })
  const found = [...estate.actions.keys()].map(async (key): Promise<Attempt[]> => {
    const name = key.split(' ').at(-1) ?? ''
    const { id, page } = estate.action(name)
    const scripted = await encodeArguments(name === 'signOut' ? [] : [null, form])
    const bare = await encodeBareForm(id, form)
    const sent = (type: string, body: Sent['body'], more = {}): Sent => ({
      method: 'POST',
      cookie,
      ...(body !== undefined && { body }),
      headers: { origin: caller.origin, 'content-type': type, ...more },
    })
    return [
      {
        name: `${name} by script`,
        path: page,
        sent: sent(scripted.contentType, scripted.body, { 'next-action': id }),
        saysCode: name !== 'signOut',
      },
      { name: `${name} by form`, path: page, sent: sent(bare.contentType, bare.body), saysCode: false },
    ]
  })
  const auth = ['callback/credentials', 'signout', 'signin/credentials'].map((door) => ({
    name: `next-auth ${door}`,
    path: `/api/auth/${door}`,
    saysCode: true,
    sent: {
      method: 'POST',
      cookie,
      body: new URLSearchParams({ email: person.email, password: person.password, json: 'true' }).toString(),
      headers: { origin: caller.origin, 'content-type': 'application/x-www-form-urlencoded' },
    },
  }))
  return [...(await Promise.all(found)).flat(), ...auth]
}

function disguise(headers: Record<string, string>, with_: Record<string, string>, origin: string): Record<string, string> {
  const all = Object.entries({ ...headers, ...with_ }).filter(([, value]) => value !== '')
  return Object.fromEntries(all.map(([name, value]) => [name, value.replace('OURS', origin)]))
}

export function origins(estate: Estate): void {
  const { caller } = estate

  test.each(Object.entries(disguises))('security 22: a change requested with %s is refused and has no effect', async (how, headers) => {
    const { cookie } = await estate.join('ours', 'owner')
    // A form without scripts is answered with its page, which makes reads.
    await expectOnlyReads(estate, async () => {
      for (const { name, path, sent, saysCode } of await attempts(estate, cookie)) {
        const answer = readAnswer(await caller.call(path, { ...sent, headers: disguise(sent.headers ?? {}, headers, caller.origin) }))
        // Refused by the portal's own check, or before it by Next's.
        const refused = answer.status >= 400 || codeOf(answer) === 'cross_origin'
        if (saysCode) expect([how, name, answer.status, answer.value, refused]).toEqual([how, name, answer.status, answer.value, true])
        expect([name, answer.headers['set-cookie'] ?? []]).toEqual([name, []])
      }
    })
    expect((await caller.call('/api/servers', { cookie })).status).toBe(200)
  })

  test('security 22: body types that any page may send to an action have no effect', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const { id, page } = estate.action('installServer')
    const bodies = {
      'text/plain': `0=[null,"$K2"]\r\n_2_serverId=${estate.serverId}`,
      'text/plain;charset=UTF-8': JSON.stringify([null, { serverId: estate.serverId }]),
      'application/x-www-form-urlencoded': new URLSearchParams({ [`$ACTION_ID_${id}`]: '', serverId: estate.serverId }).toString(),
      'application/json': JSON.stringify([null, { serverId: estate.serverId }]),
    }
    await expectNoEffect(estate, async () => {
      for (const origin of [evil, caller.origin]) {
        for (const [type, body] of Object.entries(bodies)) {
          const headers = { origin, 'content-type': type, 'next-action': id }
          const answer = readAnswer(await caller.call(page, { method: 'POST', cookie, body, headers }))
          expect([type, origin, codeOf(answer)]).not.toEqual([type, origin, 'ok'])
        }
      }
    })
  })
}
