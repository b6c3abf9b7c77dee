/** Sites on the sandbox server of a visit. */
import type { SandboxVisit } from './sandbox-visit'

const patience = { timeout: 60_000 }

/** Installs the server and creates the sites, by the actions of their pages. Arrives at the job of the last one. */
export async function installWithSites(
  { page, id, owner, gatehouse }: Pick<SandboxVisit, 'page' | 'id' | 'owner' | 'gatehouse'>,
  domains: readonly string[],
): Promise<void> {
  await owner.install(id)
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByText('is installed.').waitFor(patience)
  for (const domain of domains) {
    const fields = { serverId: id, domain, password: 'a quiet harbour' }
    await runJob({ page, owner, gatehouse }, 'app/(portal)/sites/actions.ts createSite', fields, / was created\.$/)
  }
}

/** Starts a job by an action, and arrives at its page once that says how it ended. */
export async function runJob(
  { page, owner, gatehouse }: Pick<SandboxVisit, 'page' | 'owner' | 'gatehouse'>,
  action: string,
  fields: Record<string, string>,
  said: RegExp,
): Promise<void> {
  const { value } = await owner.act(action, fields)
  await page.goto(`${gatehouse.url}/jobs/${(value as { data: { jobId: string } }).data.jobId}`)
  await page.getByText(said).first().waitFor(patience)
}
