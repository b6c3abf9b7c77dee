/** What can happen to a job of a site at any moment, and what has to hold afterwards. */
import { randomUUID } from 'node:crypto'
import type { SiteJobLine, SiteWork } from '@/lib/service/machines/sites'
import { type AdmittedHost, admitTo, sessionProcesses } from '../reach'
import type { Moment, Stops } from './stops'

export const faults = ['the job is killed', 'the service is killed', 'SSH is cut', 'the disk is full', 'the server loses power'] as const
export type Fault = (typeof faults)[number]

/** end: the last line of the job, as the service learns it. lines: all, as it learned them. */
type Outcome = { reached: boolean; end: SiteJobLine | undefined; lines: SiteJobLine[] }

/** Of whichever job. */
const unit = 'gatehouse-site-job-*.service'

/** Starts the job, lets it stand still at the moment, makes the fault happen, and follows the job to its end. */
export async function runThrough(admitted: AdmittedHost, stops: Stops, work: SiteWork, moment: Moment, fault: Fault): Promise<Outcome> {
  const { host, machine } = admitted
  const jobId = randomUUID()
  await stops.at(moment.number)
  await machine.sites.start(jobId, work)
  const lines: SiteJobLine[] = []
  const following = new AbortController()
  const follow = async (of: Pick<AdmittedHost, 'machine'>, signal: AbortSignal) => {
    for await (const line of of.machine.sites.follow(jobId, lines.length, signal)) lines.push(line)
  }
  const followed = follow(admitted, following.signal)
  const reached = await stops.reached()
  if (!reached) {
    await followed
  } else if (fault === 'the service is killed') {
    following.abort()
    await followed
    await using other = await admitTo(host)
    await stops.release()
    await follow(other, new AbortController().signal)
  } else {
    await happen(admitted, stops, fault)
    await followed
    if (fault === 'the disk is full') await host.freeDisk()
  }
  await machine.sites.forget(jobId)
  return { reached, end: lines.at(-1), lines }
}

async function happen({ host }: AdmittedHost, stops: Stops, fault: Exclude<Fault, 'the service is killed'>): Promise<void> {
  switch (fault) {
    case 'the job is killed':
      await host.run(`systemctl kill -s KILL ${unit}`)
      return
    case 'SSH is cut':
      await host.cutNetwork()
      await host.run(`pkill -KILL -f '${sessionProcesses}'`)
      await stops.release()
      // It ends while nobody follows it.
      await host.run(`timeout 60 sh -c 'while systemctl -q is-active ${unit}; do sleep 0.1; done'`)
      await host.restoreNetwork()
      return
    case 'the disk is full':
      await host.fillDisk()
      await stops.release()
      return
    case 'the server loses power':
      await host.powerCut()
      await stops.place()
  }
}

/** What a site may answer while it is changed: one of these has to be in each answer. */
export type Allowed = { domain: string; path: string; oneOf: readonly string[] }

/**
 * Asks a site over http and one over https four times a second, from the server itself, until it is ended; then says what was not their first
 * page. changed: the site that is worked on, and what it may answer meanwhile; null if it need not answer.
 */
export async function watchSites({ host }: Pick<AdmittedHost, 'host'>, plain: string, secure: string, changed: Allowed | null) {
  const request = (domain: string, path = '/') => `printf 'GET ${path} HTTP/1.1\\r\\nHost: ${domain}\\r\\nConnection: close\\r\\n\\r\\n'`
  const watchChanged = ({
    domain,
    path,
    oneOf,
  }: Allowed) => `exec 4<>/dev/tcp/${host.ip}/80 && ${request(domain, path)} >&4 && changed=$(timeout 5 cat <&4)
        exec 4>&-
        grep -qE '${oneOf.join('|')}' <<<"$changed" || printf '%s ${domain}: %.100s\\n' "$(date +%T)" "\${changed:-silence}"
        changed=`
  const asking = async () => {
    const { stdout } = await host.run(
      `while [ -e /run/gatehouse-stops/watched ]; do
        exec 4<>/dev/tcp/${host.ip}/80 && ${request(plain)} >&4 && answer=$(timeout 5 cat <&4)
        exec 4>&-
        secured=$(${request(secure)} | timeout 5 openssl s_client -quiet -verify_quiet -connect ${host.ip}:443 -servername ${secure})
        for each in "$answer" "$secured"; do
          [[ $each == *'This site is ready'* ]] || printf '%s %.100s\\n' "$(date +%T)" "\${each:-silence}"
        done
        ${changed ? watchChanged(changed) : ''}
        answer=; sleep 0.25
      done 2>/dev/null`,
      { timeoutMs: 600_000 },
    )
    return stdout
  }
  await host.run('touch /run/gatehouse-stops/watched')
  const asked = asking()
  return {
    async end(): Promise<string> {
      await host.run('rm -f /run/gatehouse-stops/watched')
      return asked
    },
  }
}
