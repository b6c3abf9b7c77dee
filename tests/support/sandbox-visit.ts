/** A Gatehouse of its own with one sandbox server, and its owner in front of it in a browser. */
import { type TeamVisit, visitTeam } from './team-visit'

export type SandboxVisit = TeamVisit & {
  /** The server's id in the portal. */
  id: string
}

/** Arrives at the overview of the server, which is called `name`. settings: of Gatehouse itself. */
export async function visitSandbox(name: string, settings: Readonly<Record<string, string>> = {}): Promise<SandboxVisit> {
  const visit = await visitTeam(settings)
  try {
    const id = await visit.owner.addSandbox(name)
    await visit.page.goto(`${visit.gatehouse.url}/servers/${id}`)
    return { ...visit, id }
  } catch (error) {
    await visit[Symbol.asyncDispose]()
    throw error
  }
}
