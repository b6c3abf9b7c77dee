/** A host that does not answer is named before the caller's ten seconds are over, so that the caller does not blame the service. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fingerprintOf } from '@/lib/service/ssh/host-key'
import { type SilentHost, startListless, startSpeechless, startUnanswering } from '../support/silent-host'
import { create } from './conformance/servers'
import { get, type Said } from './support/caller'
import { keepMachine, openTestService } from './support/service'

/** The portal's ten seconds, and a margin for a busy machine; the limit for a host used to be twenty. */
const callerPatienceMs = 10_000 + 5_000

const someKey = () => `SHA256:${randomBytes(32).toString('base64').slice(0, 43)}`

type Kept = { host: SilentHost; summed: string; left: string }

async function inTime(work: Promise<Said>): Promise<Said> {
  const begun = performance.now()
  const said = await work
  expect(performance.now() - begun).toBeLessThan(callerPatienceMs)
  return said
}

test('a host that never answers, one that drops all packets and one that stops answering are each named in time', {
  timeout: 60_000,
}, async () => {
  await using speechless = await startSpeechless()
  await using unanswering = await startUnanswering()
  await using listless = await startListless()
  await using service = await openTestService()
  const listlessId = await keepMachine(service, { ...listless, hostKey: fingerprintOf(listless.hostKey) })
  const kept: Kept[] = []
  for (const host of [speechless, unanswering])
    kept.push({ host, summed: await keepMachine(service, host), left: await keepMachine(service, host) })

  const proveSilence = async ({ host: { host, port }, summed, left }: Kept) => {
    const login = { provider: 'ssh', name: 'n', user: 'root', pass: 'p', host, port: String(port) }
    const failing = [
      create(service, { ...login, host_key: 'ask' }),
      create(service, { ...login, host_key: someKey() }),
      get(service, `/servers/${summed}/summary`),
    ]
    const removal = inTime(get(service, `/servers/${left}/delete`))
    const unreachable = { status: 502, body: { success: false, code: 'unreachable' } }
    for (const said of await Promise.all(failing.map(inTime))) expect(said).toMatchObject(unreachable)
    expect(await removal).toMatchObject({ status: 200, body: { success: true, cleaned: false } })
  }
  const [tooSlow] = await Promise.all([inTime(get(service, `/servers/${listlessId}/summary`)), ...kept.map(proveSilence)])
  expect(tooSlow).toMatchObject({ status: 504, body: { success: false, code: 'too_slow' } })
})
