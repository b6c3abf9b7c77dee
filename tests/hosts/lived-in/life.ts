/** Installs Gatehouse's parts on a server that is in use, reinstalls, and deletes the server. Takes a snapshot of the host after each. */
import { expect } from 'vitest'
import type { InstallLine, Machine } from '@/lib/service/machines/machine'
import { install, messagesOf } from '../install-run'
import { type Host, startHost } from '../lab/lab'
import { admitTo } from '../reach'
import { differences, whileRegistered } from './differences'
import type { LivedIn } from './hosts'
import { type Photograph, photograph } from './photograph'

export async function liveThrough(livedIn: LivedIn): Promise<void> {
  await using host = await startHost(livedIn)
  await using outsider = await startHost({ login: { kind: 'root-key' }, name: 'outsider' })
  expect(await host.run(livedIn.prepare)).toMatchObject({ code: 0 })
  const take = () => photographRestarted(host, outsider, livedIn)
  const before = await take()
  expect(before.failed).toEqual([])
  for (const answer of livedIn.works) expect(before.answers).toContainEqual(expect.stringMatching(answer))
  await using admitted = await admitTo(host)
  const { machine } = admitted

  const first = await install(admitted)
  expect.soft(first.at(-1)).toMatchObject({ status: 'done', progress: 100, message: expect.stringMatching(livedIn.ready) })
  await proveKept(machine, first, livedIn)
  const installed = await take()
  expect.soft(differences(before, installed, { ours: whileRegistered, newParts: livedIn.newParts }), 'after the install').toEqual([])

  expect.soft((await install(admitted)).at(-1)).toMatchObject({ status: 'done', progress: 100 })
  const reinstalled = await take()
  expect.soft(differences(installed, reinstalled, { ours: [], newParts: [] }), 'after the second install').toEqual([])

  const visitor = await admitTo(host)
  expect(await visitor.machine.cleanUp()).toBe(true)
  await visitor.connections.close()
  const visited = await take()
  expect.soft(differences(reinstalled, visited, { ours: [], newParts: [] }), 'after another account came and left').toEqual([])

  expect(await machine.cleanUp()).toBe(true)
  const left = await take()
  expect.soft(differences(before, left, { ours: [], newParts: livedIn.newParts }), 'after the deletion').toEqual([])
}

/** Running services may hide settings that prevent a restart. A service that does not start again is missing in the answers. */
async function photographRestarted(host: Host, outsider: Host, livedIn: LivedIn): Promise<Photograph> {
  await host.run(`systemctl restart ${livedIn.restarts.join(' ')}
    for try in $(seq 100); do
      missing=
      for port in ${livedIn.open.join(' ')}; do ss -Hltn "sport = :$port" | grep -q . || missing=yes; done
      [ "$missing" ] || break; sleep 0.1
    done`)
  return photograph(host, outsider, livedIn)
}

async function proveKept(machine: Machine, lines: readonly InstallLine[], { kept }: LivedIn): Promise<void> {
  const sentences = messagesOf(lines).filter((message) => message.startsWith('kept: '))
  const summary = await machine.summary()
  const told = 'kept' in summary ? JSON.stringify(summary.kept) : ''
  for (const part of kept) {
    expect.soft(sentences).toContainEqual(expect.stringMatching(part))
    expect.soft(told).toMatch(part)
  }
}
