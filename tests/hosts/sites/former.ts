/** Sites as commit 9fc11616 made them: by the scripts of then, with today's eyes on the job. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { SiteJobLine, SiteOnHost } from '@/lib/service/machines/sites'
import type { AdmittedHost } from '../reach'
import { databasePassword, sitePassword } from './site-job'

type Scripts = Record<'startScript' | 'siteJob' | 'prepareSftp' | 'confirmSftp' | 'nightlyBackup', string> & { wordpress: string[] }

const fixture = new URL('../../fixtures/site-state-1/scripts.json.gz', import.meta.url)
const former = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as Scripts

/** The app's administrator. */
export const formerAdminPassword = 'of the administrator then'

const ownValues = {
  create: [sitePassword, databasePassword],
  app: [...former.wordpress, formerAdminPassword, databasePassword],
  backup: [],
}

/** Runs a job of then to its end, and returns its last line. app: WordPress. */
export async function runFormerJob(
  { connections, reach, machine }: AdmittedHost,
  kind: keyof typeof ownValues,
  { id, name, domain, aliases }: SiteOnHost,
): Promise<SiteJobLine | undefined> {
  const jobId = randomUUID()
  const values = [jobId, former.siteJob, kind, id, name, domain, aliases.join(' '), ...ownValues[kind]]
  expect(await connections.change(reach, { script: former.startScript, values })).toMatchObject({ code: 0 })
  const lines: SiteJobLine[] = []
  for await (const line of machine.sites.follow(jobId, 0, new AbortController().signal)) lines.push(line)
  return lines.at(-1)
}

/** What the server itself had of then: SFTP, and the nightly backup. */
export async function prepareFormerServer({ connections, reach, host }: AdmittedHost): Promise<void> {
  expect(await connections.change(reach, { script: former.prepareSftp, values: ['90', reach.user] })).toMatchObject({ code: 0 })
  expect(await connections.onNewConnection(reach, { script: former.confirmSftp }, 10_000)).toMatchObject({ code: 0 })
  const script = '/usr/local/sbin/gatehouse-backup'
  const put = `cat >${script} && hash=$(sha256sum <${script} | cut -d' ' -f1) && sed -i "s,^[0-9a-f]*  ${script}$,$hash  ${script}," /etc/gatehouse/manifest`
  expect(await host.run(put, { stdin: former.nightlyBackup })).toMatchObject({ code: 0 })
}
