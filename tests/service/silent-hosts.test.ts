/** A host that says nothing is named as what it is before the caller, who has ten seconds, gives up on the service. */
import { expect, test } from 'vitest'
import { fingerprintOf } from '@/lib/service/ssh/host-key'
import { startListless, startSpeechless, startUnanswering } from '../support/silent-host'
import { create } from './conformance/servers'
import { get, type Said } from './support/caller'
import { keepMachine, openTestService } from './support/service'

/** The portal's ten seconds, and what a busy machine may add to them; a host was once waited for twenty. */
const callerPatienceMs = 10_000 + 5_000

const someKey = `SHA256:${'A'.repeat(43)}`

async function inTime(work: Promise<Said>): Promise<Said> {
  const begun = performance.now()
  const said = await work
  expect(performance.now() - begun).toBeLessThan(callerPatienceMs)
  return said
}

test.concurrent.each([
  ['takes connections and never speaks', startSpeechless],
  ['does not even answer a connection', startUnanswering],
])('a host that %s is unreachable, and still let go of', async (_, start) => {
  await using host = await start()
  await using service = await openTestService()
  const login = { provider: 'ssh', name: 'n', user: 'root', pass: 'p', host: host.host, port: String(host.port) }
  const [summed, deleted] = [await keepMachine(service, host), await keepMachine(service, host)]
  const [asked, created, summary, removal] = await Promise.all(
    [
      create(service, { ...login, host_key: 'ask' }),
      create(service, { ...login, host_key: someKey }),
      get(service, `/servers/${summed}/summary`),
      get(service, `/servers/${deleted}/delete`),
    ].map(inTime),
  )
  for (const said of [asked, created, summary]) expect(said).toMatchObject({ status: 502, body: { success: false, code: 'unreachable' } })
  expect(removal).toMatchObject({ status: 200, body: { success: true, cleaned: false } })
})

test.concurrent('a host that lets us in and then does nothing is too slow', async () => {
  await using host = await startListless()
  await using service = await openTestService()
  const id = await keepMachine(service, { ...host, hostKey: fingerprintOf(host.hostKey) })
  expect(await inTime(get(service, `/servers/${id}/summary`))).toMatchObject({ status: 504, body: { success: false, code: 'too_slow' } })
})
