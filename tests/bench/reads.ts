/** A read through the portal against the same read of the service itself, and through proxies that do nothing else. */
import type { Estate } from '../browser/security/estate'
import { findHolder } from '../support/claimant'
import { type Figure, quantile } from './figure'
import { runFlatOut, runSteadily, type Target } from './load'
import { readCpuMs, readMemoryMb } from './process-stat'
import { startBareProxy, startNginx } from './proxies'
import type { Section } from './report'

export async function measureReads(estate: Estate): Promise<Section> {
  const { upstream } = estate.teams.ours
  const pid = findHolder(estate.place, 'portal')
  await using bare = await startBareProxy(upstream.port)
  await using nginx = await startNginx(upstream.port)
  const direct = { path: `/servers/${[...upstream.model.servers.keys()][0]}/summary`, headers: { authorization: `Bearer ${upstream.key}` } }
  const portal: Target = {
    name: 'portal',
    port: estate.place.port,
    path: `/api/operations/servers.summary?server=${estate.serverId}`,
    headers: { cookie: estate.owner.cookie, host: `localhost:${estate.place.port}` },
  }
  const targets: Target[] = [
    { name: 'service', port: upstream.port, ...direct },
    portal,
    { name: 'bare proxy', port: bare.port, ...direct },
  ]
  if (nginx) targets.push({ name: 'nginx', port: nginx.port, ...direct })
  // A portal that has just started still compiles what it runs often.
  await runFlatOut(portal, 32, 15)
  await runSteadily(targets, 50, 4)
  const times = await runSteadily(targets, 50, 20)
  const at = (name: string, fraction: number) => quantile(times.get(name) ?? [], fraction)

  const cpu = await measureCpu(portal, pid)
  const bareCpu = await measureCpu({ name: 'bare proxy', port: bare.port, ...direct }, bare.pid)
  const figures: Figure[] = targets.map(({ name }) => ({ what: `${name}, p50`, value: at(name, 0.5), unit: 'ms' }))
  figures.push(
    { what: 'added by the portal, p50', value: at('portal', 0.5) - at('service', 0.5), unit: 'ms', target: 3, floor: 6 },
    { what: 'added by the portal, p99', value: at('portal', 0.99) - at('service', 0.99), unit: 'ms', target: 15, floor: 40 },
    { what: 'portal against the bare proxy, p50', value: at('portal', 0.5) / at('bare proxy', 0.5), unit: 'times', target: 2, floor: 4 },
    { what: 'processor time of a read', value: cpu, unit: 'ms', target: 1.7, floor: 2.5 },
    { what: 'processor time of the bare proxy', value: bareCpu, unit: 'ms' },
    { what: 'processor time against the bare proxy', value: cpu / bareCpu, unit: 'times', target: 2, floor: 15 },
    { what: 'reads a second and core', value: 1000 / cpu, unit: '/s', target: 600, floor: 400, more: true },
    { what: 'memory of the portal after that', value: readMemoryMb(pid), unit: 'MB', target: 350, floor: 600 },
  )
  return {
    title: 'Reads',
    how: 'A server summary of a warm portal, 50 requests a second at each in turn for 20 s, session and permission checked; then 32 callers flat out, of the portal and of the bare proxy.',
    figures,
  }
}

/** Milliseconds of a process for each of its answers, with 32 callers for 8 s. */
async function measureCpu(target: Target, pid: number): Promise<number> {
  const before = readCpuMs(pid)
  const answers = await runFlatOut(target, 32, 8)
  return (readCpuMs(pid) - before) / answers
}
