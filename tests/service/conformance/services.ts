/** What every provider must do for the services of a server over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'

/** An installed server. */
type ServicesTarget = Target & { id: string }

type Service = Record<'unit' | 'name' | 'state' | 'since', string> & { restarts: boolean }

export async function listServices(target: ServicesTarget): Promise<Service[]> {
  const { status, body } = await get(target, `/servers/${target.id}/services`)
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body.items as Service[]
}

export const restartService = (target: ServicesTarget, unit: string): Promise<Said> =>
  post(target, `/servers/${target.id}/services/restart`, { unit })

const others = ['ssh.service', 'apache2', 'reboot.target', '*.service', 'apache2.service; reboot', 'systemd-logind.service', '']

export async function proveServices(target: ServicesTarget, stranger: Target): Promise<void> {
  const before = await listServices(target)
  const running = Object.fromEntries(before.map(({ name, state }) => [name, state]))
  expect(running).toMatchObject({ Apache: 'running', MariaDB: 'running', Postfix: 'running', Cron: 'running', SSH: 'running' })
  expect(before.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^PHP \d+\.\d+$/))
  expect(before.filter(({ restarts }) => !restarts).map(({ unit }) => unit)).toEqual(['ssh.service'])

  for (const unit of others) {
    expect([unit, await restartService(target, unit)]).toMatchObject([
      unit,
      { status: 422, body: { code: 'invalid', fields: { unit: expect.any(String) } } },
    ])
  }
  expect(await restartService(target, 'php4.1-fpm.service')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  for (const absent of [
    { ...target, id: 'no-such-server' },
    { ...stranger, id: target.id },
  ]) {
    expect(await restartService(absent, 'cron.service')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await get(absent, `/servers/${absent.id}/services`)).toMatchObject({ status: 404 })
    expect(await get(absent, `/servers/${absent.id}/vitals`)).toMatchObject({ status: 404 })
  }
  expect(await listServices(target)).toEqual(before)

  const restartable = before.filter(({ restarts }) => restarts).map(({ unit }) => unit)
  for (const unit of restartable) expect([unit, await restartService(target, unit)]).toMatchObject([unit, { status: 200 }])
  const after = await listServices(target)
  expect(after.map(({ unit, state }) => [unit, state])).toEqual(before.map(({ unit, state }) => [unit, state]))
  const sinceOf = (services: Service[], unit: string) => Date.parse(services.find((service) => service.unit === unit)?.since ?? '')
  for (const unit of restartable) expect([unit, sinceOf(after, unit) - sinceOf(before, unit) > 0]).toEqual([unit, true])
  expect(sinceOf(after, 'ssh.service')).toBe(sinceOf(before, 'ssh.service'))
  await proveVitals(target)
}

async function proveVitals(target: ServicesTarget): Promise<void> {
  const read = async () => ((await get(target, `/servers/${target.id}/vitals`)).body.item as Record<string, unknown>[])[0] ?? {}
  const first = await read()
  const number = expect.stringMatching(/^\d+$/)
  const names = ['at', 'cpu_busy', 'cpu_all', 'cores', 'mem_free', 'mem_total', 'disk_space', 'disk_total', 'net_in', 'net_out']
  expect(first).toEqual({
    ...Object.fromEntries(names.map((name) => [name, number])),
    load: Array(3).fill(expect.stringMatching(/^\d+\.\d+$/)),
  })
  expect(Math.abs(Number(first.at) / 1000 - Date.now())).toBeLessThan(60_000)
  await expect.poll(async () => Number((await read()).cpu_all), { timeout: 15_000 }).toBeGreaterThan(Number(first.cpu_all))
}
