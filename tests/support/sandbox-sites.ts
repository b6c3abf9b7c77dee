/** Sites on the sandbox server of a visit. */
import type { SandboxVisit } from './sandbox-visit'

const patience = { timeout: 60_000 }

/** Installs the server and creates the sites, by the actions of their pages. Arrives at the job of the last one. */
export async function installWithSites({ page, id, owner, gatehouse }: SandboxVisit, domains: readonly string[]): Promise<void> {
  await owner.install(id)
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByText('is installed.').waitFor(patience)
  for (const domain of domains) {
    const fields = { serverId: id, domain, password: 'a quiet harbour' }
    const { value } = await owner.act('app/(portal)/sites/actions.ts createSite', fields)
    await page.goto(`${gatehouse.url}/jobs/${(value as { data: { jobId: string } }).data.jobId}`)
    await page.getByText(/ was created\.$/).waitFor(patience)
  }
}
