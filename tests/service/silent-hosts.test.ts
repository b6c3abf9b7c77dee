/** A host that does not answer is named before the caller's time is over, so that the caller does not blame the service. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { patience } from '@/lib/service/ssh/connect'
import { fingerprintOf } from '@/lib/service/ssh/host-key'
import { parseSettings } from '@/lib/settings/settings'
import { type SilentHost, startListless, startSpeechless, startUnanswering } from '../support/silent-host'
import { create } from './conformance/servers'
import { get } from './support/caller'
import { keepMachine, openTestService } from './support/service'

const someKey = () => `SHA256:${randomBytes(32).toString('base64').slice(0, 43)}`

type Kept = { host: SilentHost; summed: string; left: string }

test('a host has less time to answer than the portal gives the service, with the settings that are usual', () => {
  const { readMs } = parseSettings({}, '/')
  expect(patience.reachMs).toBeLessThan(readMs)
})

test('a host that never answers, one that drops all packets and one that stops answering are each named', async () => {
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
    const removal = get(service, `/servers/${left}/delete`)
    const unreachable = { status: 502, body: { success: false, code: 'unreachable' } }
    for (const said of await Promise.all(failing)) expect(said).toMatchObject(unreachable)
    expect(await removal).toMatchObject({ status: 200, body: { success: true, cleaned: false } })
  }
  const [tooSlow] = await Promise.all([get(service, `/servers/${listlessId}/summary`), ...kept.map(proveSilence)])
  expect(tooSlow).toMatchObject({ status: 504, body: { success: false, code: 'too_slow' } })
})
